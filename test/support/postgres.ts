import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A PostgreSQL server for the tests, on a free local port, with everything in one temporary folder. */
export interface PostgresServer {
  /** The variables that programs connect with, such as `PGHOST`. */
  environment: Record<string, string>;
  password: string;
  /** Runs a query whose rows have one column. */
  query(sql: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const programs = await findPrograms();
  const user = otherUser();
  const folder = await mkdtemp(path.join(tmpdir(), "workspace-apps-postgres-"));
  const password = "state-password";
  const passwordFile = path.join(folder, "password");
  await writeFile(passwordFile, password);
  if (user !== undefined) for (const one of [folder, passwordFile]) await chown(one, user.uid, user.gid);
  const cluster = path.join(folder, "cluster");
  const authentication = ["--username=state", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  await execute(path.join(programs, "initdb"), ["-D", cluster, ...authentication, "--no-sync"], {
    ...user,
    cwd: folder,
  });
  const port = await freePort();
  // Without a socket file and without waiting for the disk, because no data is kept.
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const server = spawn(
    path.join(programs, "postgres"),
    ["-D", cluster, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  await ready(server);
  const environment = {
    PGHOST: "127.0.0.1",
    PGPORT: String(port),
    PGUSER: "state",
    PGPASSWORD: password,
    PGDATABASE: "postgres",
    PGSSLMODE: "disable",
  };
  return {
    environment,
    password,
    async query(sql) {
      const psql = await execute(path.join(programs, "psql"), ["-X", "-A", "-t", "-c", sql], {
        env: { ...process.env, ...environment },
      });
      return psql.stdout.split("\n").filter((line) => line !== "");
    },
    async close() {
      const ended = new Promise((resolve) => server.once("close", resolve));
      // Also ends the sessions of clients.
      server.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of the server's programs. On Debian they are not on PATH, and each version has its own folder. */
async function findPrograms(): Promise<string> {
  const onPath = (process.env["PATH"] ?? "").split(path.delimiter);
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? (await readdir(root)).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [...onPath, ...versions.map((version) => path.join(root, version, "bin"))];
  const found = folders.find((folder) =>
    ["initdb", "postgres", "psql"].every((name) => existsSync(path.join(folder, name))),
  );
  if (found === undefined)
    throw new Error(
      `PostgreSQL state tests need a local server binary: initdb is neither on PATH nor under ${root}. Install PostgreSQL (apt-get install postgresql, or brew install postgresql), or add the folder of initdb to PATH.`,
    );
  return found;
}

/** The server refuses to run as root. Debian's package creates a user for it, and every system has `nobody`. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"])
    try {
      const id = (flag: string): number => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // Try the next one.
    }
  throw new Error("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as.");
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

async function ready(server: ChildProcess): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("close", () => {
      reject(new Error(`The PostgreSQL server ended:\n${said}`));
    });
  });
}
