import { nameOf, type Proxy } from "../../provider/service/proxy";
import { baseUrlSetting } from "../../provider/service/setting-names";
import type { Cause, CheckResult } from "./report";

type FailedCheck = CheckResult & { readonly state: "fail"; readonly cause: Cause };

/** How the service is reached. */
export interface Route {
  /** Undefined for a direct connection. */
  readonly proxy: Proxy | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Why no response came, by the transport's message, and how to fix it. */
export function networkFailure(message: string, sent: boolean, route: Route): FailedCheck {
  const failure = sent ? noResponse(message) : noConnection(message);
  const advice = failure.cause === "proxy" ? undefined : proxyAdvice(sent, route);
  return { state: "fail", ...failure, fix: advice === undefined ? failure.fix : `${failure.fix} ${advice}` };
}

interface Failure {
  cause: Cause;
  seen: string;
  fix: string;
}

function noResponse(message: string): Failure {
  if (isTimeout(message))
    return {
      cause: "timeout",
      seen: `connected, but ${message}`,
      fix: "Check the status of the service. If it is only slow, raise workspace-apps:requestTimeoutSeconds (or WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS).",
    };
  return {
    cause: "broken-connection",
    seen: `connected, but the connection broke before the response: ${message}`,
    fix: `Check that ${baseUrlSetting} is the service and speaks HTTP. A firewall or a proxy may cut connections. Otherwise run doctor again later.`,
  };
}

function noConnection(message: string): Failure {
  // The transport's own messages.
  const isBrokenTunnel = message.includes(", through the proxy ") && !isCertificateError(message);
  if (isBrokenTunnel || /^the proxy |is not the address of an http or https proxy$/.test(message))
    return {
      cause: "proxy",
      seen: `no connection: ${message}`,
      fix: "Check HTTPS_PROXY, or HTTP_PROXY if that is not set: it must name a proxy that allows CONNECT. To connect directly, add the host to NO_PROXY.",
    };
  if (/ENOTFOUND|EAI_|ENODATA|ESERVFAIL/.test(message))
    return {
      cause: "dns",
      seen: `the host name has no address: ${message}`,
      fix: `Check the spelling of the host in ${baseUrlSetting}, and that this machine's name server knows it. A VPN may be needed.`,
    };
  if (isTlsError(message)) return { cause: "tls", seen: `no secure connection: ${message}`, fix: tlsAdvice(message) };
  return {
    cause: isTimeout(message) ? "timeout" : "connection",
    seen: `no connection: ${message}`,
    fix: `Check the host and the port in ${baseUrlSetting}, that the service runs there, and that no firewall blocks it.`,
  };
}

/** `no response within` is the transport's own message. */
function isTimeout(message: string): boolean {
  return /no response within|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT/.test(message);
}

function isTlsError(message: string): boolean {
  return isCertificateError(message) || /ERR_TLS|ERR_SSL|EPROTO|SSL routines|secure TLS/.test(message);
}

function isCertificateError(message: string): boolean {
  return /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(message);
}

function tlsAdvice(message: string): string {
  if (message.includes("ALTNAME")) return `The certificate is for another host. Check the host in ${baseUrlSetting}.`;
  if (/EXPIRED|NOT_YET_VALID/.test(message))
    return "The certificate has expired or is not valid yet. Check this machine's clock. If it is right, the service must renew its certificate.";
  if (isCertificateError(message))
    return "Node does not trust the issuer of the certificate. If it is your company's own authority, set NODE_EXTRA_CA_CERTS to its PEM file. Otherwise somebody may be intercepting the connection.";
  return `The server does not speak TLS correctly. Check the scheme and the port in ${baseUrlSetting}.`;
}

function proxyAdvice(sent: boolean, { proxy, environment }: Route): string | undefined {
  if (proxy !== undefined) return `The connection goes through the proxy ${nameOf(proxy)}.`;
  const ignored = ["ALL_PROXY", "all_proxy"].filter((name) => environment[name]);
  return sent || ignored.length === 0
    ? undefined
    : `${ignored.join(", ")} is set, but only HTTPS_PROXY and HTTP_PROXY are used.`;
}
