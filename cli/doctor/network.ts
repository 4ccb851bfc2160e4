import type { Cause, Finding } from "./finding";

type Failed = Finding & { readonly state: "fail"; readonly cause: Cause };

const where = "workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL)";

/** Why no answer came, by the words of the transport, and how to mend that. */
export function networkFault(words: string, sent: boolean, environment: NodeJS.ProcessEnv): Failed {
  const fault = sent ? unanswered(words) : unconnected(words);
  const proxy = sent ? undefined : proxyAdvice(environment);
  return { state: "fail", ...fault, fix: proxy === undefined ? fault.fix : `${fault.fix} ${proxy}` };
}

interface Fault {
  cause: Cause;
  seen: string;
  fix: string;
}

function unanswered(words: string): Fault {
  if (isTimeout(words))
    return {
      cause: "timeout",
      seen: `connected, but ${words}`,
      fix: "Look at the service's state; if it is only slow, raise workspace-apps:requestTimeoutSeconds (or WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS).",
    };
  return {
    cause: "broken-connection",
    seen: `connected, but the connection broke before the answer: ${words}`,
    fix: `Check that ${where} is the service and speaks HTTP; a firewall or a proxy on the way may cut connections. Else run doctor again later.`,
  };
}

function unconnected(words: string): Fault {
  if (/ENOTFOUND|EAI_|ENODATA|ESERVFAIL/.test(words))
    return {
      cause: "dns",
      seen: `the host's name has no address: ${words}`,
      fix: `Check the spelling of the host in ${where}, and that this machine's name server knows it (a VPN may be needed).`,
    };
  if (isTlsFault(words))
    return { cause: "tls", seen: `no secure connection could be made: ${words}`, fix: tlsAdvice(words) };
  const seen = isTimeout(words) ? `no connection: ${words}` : `the connection could not be made: ${words}`;
  return {
    cause: isTimeout(words) ? "timeout" : "connection",
    seen,
    fix: `Check the host and the port in ${where}, that the service runs there, and that no firewall stands between.`,
  };
}

function isTimeout(words: string): boolean {
  return /no answer within|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT/.test(words);
}

function isTlsFault(words: string): boolean {
  return /CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL|EPROTO|SSL routines|secure TLS/.test(words);
}

function tlsAdvice(words: string): string {
  if (words.includes("ALTNAME")) return `The certificate is of another host: check the host in ${where}.`;
  if (/EXPIRED|NOT_YET_VALID/.test(words))
    return "The certificate is out of date: check this machine's clock; if it is right, the service must renew it.";
  if (/CERT|SELF_SIGNED|ISSUER/.test(words))
    return "Node does not trust who issued the certificate. If that is your company's own authority, set NODE_EXTRA_CA_CERTS to its PEM file; else somebody may stand between.";
  return `What listens there does not speak TLS as it should: check the scheme and the port in ${where}.`;
}

/** Programs that honour these variables reach what this package does not. */
function proxyAdvice(environment: NodeJS.ProcessEnv): string | undefined {
  const names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].filter((name) => environment[name]);
  return names.length === 0
    ? undefined
    : `${names.join(", ")} is set, but this package connects directly and uses no proxy.`;
}
