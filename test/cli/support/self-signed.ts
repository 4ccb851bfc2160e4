import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import net from "node:net";

/**
 * Creates a key and an untrusted certificate for a host, so that no key is stored in the repository.
 * `until` is the last year of its validity.
 */
export function selfSigned(until = 2049, host = "localhost"): KeyPair {
  const { privateKey, publicKey } = newKeys();
  return {
    key: pemOf(privateKey),
    cert: certificate({ of: host, by: host, until, publicKey, signedWith: privateKey }),
  };
}

export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** A private authority, and a key and a certificate that it has signed: for hosts, which may be IPv6 addresses. */
export function privateAuthority(...hosts: string[]): KeyPair & { readonly authority: string } {
  const [authority, own] = [newKeys(), newKeys()];
  const signed = { by: "Private CA", until: 2049, signedWith: authority.privateKey };
  return {
    key: pemOf(own.privateKey),
    cert: certificate({ ...signed, of: hosts[0] ?? "", alsoOf: hosts, publicKey: own.publicKey }),
    authority: certificate({ ...signed, of: "Private CA", publicKey: authority.publicKey }),
  };
}

function newKeys(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }) as string;
}

interface Certificate {
  of: string;
  /** All its hosts. Without them, the certificate has no extensions. */
  alsoOf?: string[];
  by: string;
  /** The last year of its validity. */
  until: number;
  publicKey: KeyObject;
  signedWith: KeyObject;
}

function certificate({ of, alsoOf = [], by, until, publicKey, signedWith }: Certificate): string {
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const validity = der(
    0x30,
    der(0x17, Buffer.from("200101000000Z")),
    der(0x17, Buffer.from(`${String(until % 100)}1231235959Z`)),
  );
  const publicInfo = publicKey.export({ type: "spki", format: "der" });
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const signed = der(
    0x30,
    ...(alsoOf.length === 0 ? [] : [version3]),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    nameOf(by),
    validity,
    nameOf(of),
    publicInfo,
    ...(alsoOf.length === 0 ? [] : [der(0xa3, der(0x30, subjectAlternativeName(alsoOf)))]),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, signedWith));
  const bytes = der(0x30, signed, ecdsaWithSha256, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${bytes}\n-----END CERTIFICATE-----\n`;
}

function subjectAlternativeName(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => (net.isIPv6(host) ? der(0x87, addressOf(host)) : der(0x82, Buffer.from(host))));
  return der(0x30, der(0x06, Buffer.from("551d11", "hex")), der(0x04, der(0x30, ...names)));
}

/** The 16 bytes of an IPv6 address with one `::`. */
function addressOf(text: string): Buffer {
  const [first = [], last = []] = text.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function nameOf(text: string): Buffer {
  return der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(text)))));
}

/** One value of ASN.1 in DER, of less than 64 KiB. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
