import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { githubActions, gitlab, type Pipeline } from "./pipelines";

/** A stand-in for a platform: the comments of one pull request, and the head of main. */
export interface Platform {
  readonly url: string;
  /** The comments, oldest first. */
  readonly comments: Comment[];
  /** The values that the platform fills in when this commit is pushed. */
  values(commit: string): Record<string, string>;
  close(): void;
}

export interface Comment {
  id: number;
  by: string;
  text: string;
}

/** The head of main. */
export const mainHead = "0".repeat(40);

/** The author of the reviews. */
export const robot = "github-actions[bot]";

/** From the platforms' documentation: paths, methods, credentials, and the form of bodies and responses. */
const apis = {
  "GitHub Actions": {
    pipeline: githubActions,
    list: "/repos/team/stack/issues/7/comments",
    change: { method: "PATCH", path: "/repos/team/stack/issues/comments/" },
    isAllowed: ({ headers }: IncomingMessage) => headers.authorization === "Bearer github-token",
    textIn: (body: string) => (JSON.parse(body) as { body: string }).body,
    shown: ({ id, by, text }: Comment) => ({ id, user: { login: by }, body: text }),
    others: {} as Record<string, string>,
  },
  GitLab: {
    pipeline: gitlab,
    list: "/projects/42/merge_requests/7/notes",
    change: { method: "PUT", path: "/projects/42/merge_requests/7/notes/" },
    isAllowed: ({ headers }: IncomingMessage) => headers["private-token"] === "review-token",
    textIn: (body: string) => new URLSearchParams(body).get("body") ?? "",
    shown: ({ id, by, text }: Comment) => ({ id, author: { id: by.length }, body: text }),
    others: { "/user": JSON.stringify({ id: robot.length }) } as Record<string, string>,
  },
};

export type PlatformName = keyof typeof apis;

export const platforms = Object.entries(apis).map(([name, { pipeline }]): [PlatformName, Pipeline] => [
  name as PlatformName,
  pipeline,
]);

/** Serves a stand-in for the API of a platform. */
export async function startPlatform(name: PlatformName): Promise<Platform> {
  const api = apis[name];
  const comments: Comment[] = [];
  const answer = (request: IncomingMessage, body: string): { status: number; text: string } => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://platform");
    if (!api.isAllowed(request)) return { status: 401, text: "{}" };
    if (request.method === "GET" && pathname === api.list && searchParams.get("per_page") === "100")
      return { status: 200, text: JSON.stringify(comments.map((comment) => api.shown(comment))) };
    if (request.method === "POST" && pathname === api.list) {
      comments.push({ id: 100 + comments.length, by: robot, text: api.textIn(body) });
      return { status: 201, text: "{}" };
    }
    const changed = comments.find(({ id }) => pathname === `${api.change.path}${String(id)}`);
    if (request.method === api.change.method && changed !== undefined) {
      changed.text = api.textIn(body);
      return { status: 200, text: "{}" };
    }
    if (pathname === "/repos/team/stack/commits/main" && request.headers.accept === "application/vnd.github.sha")
      return { status: 200, text: mainHead };
    const text = api.others[pathname];
    return text === undefined ? { status: 404, text: "{}" } : { status: 200, text };
  };
  const server = createServer((request, response) => {
    let sent = "";
    request.on("data", (chunk: Buffer) => (sent += chunk.toString()));
    request.on("end", () => {
      const { status, text } = answer(request, sent);
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const values = (commit: string): Record<string, string> => ({
    "github.token": "github-token",
    "github.api_url": url,
    "github.repository": "team/stack",
    "github.sha": commit,
    "github.event.pull_request.number": "7",
    "github.event.pull_request.head.sha": commit,
    STATE_ID_TOKEN: "id-token",
    CI_API_V4_URL: url,
    CI_PROJECT_ID: "42",
    CI_MERGE_REQUEST_IID: "7",
    CI_COMMIT_SHA: commit,
    REVIEW_TOKEN: "review-token",
  });
  return { url, comments, values, close: () => server.close() };
}
