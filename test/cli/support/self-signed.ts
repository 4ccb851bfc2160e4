import { generateKeyPairSync, sign } from "node:crypto";

/**
 * Creates a key and an untrusted certificate for `localhost`, so that no key is stored in the repository.
 * `until` is the last year of its validity.
 */
export function selfSigned(until = 2049): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const commonName = der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(
    0x30,
    der(0x17, Buffer.from("200101000000Z")),
    der(0x17, Buffer.from(`${String(until % 100)}1231235959Z`)),
  );
  const publicInfo = publicKey.export({ type: "spki", format: "der" });
  const signed = der(0x30, der(0x02, Buffer.from([1])), ecdsaWithSha256, name, validity, name, publicInfo);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, privateKey));
  const certificate = der(0x30, signed, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of ASN.1 in DER, of less than 64 KiB. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
