import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { parsePlainUrl, plainUrlHint } from "./urls";

/** Names that resolve only inside one machine or network. */
const privateNames = /(^|\.)(localhost|local|internal)$/;

/** Why a URL is not a public https URL, as a webhook's target must be; undefined when it is. */
export function publicUrlProblem(text: string): string | undefined {
  const url = parsePlainUrl(text);
  if (url === undefined) return `must be an absolute https URL ${plainUrlHint}`;
  const { protocol, username, password, hostname } = url;
  if (protocol !== "https:") return "must be an https URL";
  if (username !== "" || password !== "") return "must not carry credentials in the URL";
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  // Not ipaddr.isValid: it throws and catches for every host name, which is slow in Pulumi's host.
  if (isIP(host) !== 0) {
    const range = rangeOf(ipaddr.process(host));
    return range === "unicast" ? undefined : `must be reachable from the internet, but its address is ${range}`;
  }
  if (privateNames.test(host) || !host.includes("."))
    return "must be reachable from the internet, but its host name is a private one";
  return undefined;
}

/** ipaddr.js calls every IPv6 address without a special use unicast, also `::127.0.0.1`; only 2000::/3 is assigned. */
function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  if (address.kind() === "ipv4" || range !== "unicast") return range;
  return address.match(ipaddr.IPv6.parseCIDR("2000::/3")) ? range : "reserved";
}

/** `localhost`, 127.0.0.0/8 and ::1: nobody outside can listen to plain http there. */
export function isLoopback(hostname: string): boolean {
  if (hostname === "localhost") return true;
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) !== 0 && ipaddr.process(address).range() === "loopback";
}
