import { randomBytes } from "node:crypto";

/**
 * Secrets that are told from everything else, each by the path that it takes. Every one begins and ends with a core of
 * letters and digits, which stays as it is in JSON and in a URL; between them stands what is written otherwise there.
 */
export class Canaries {
  private readonly cores = new Map<string, string>();

  /** A secret for one path, with these characters inside. */
  make(path: string, inside = "-"): string {
    const cores = [`Aa${randomBytes(8).toString("hex")}`, `Zz${randomBytes(8).toString("hex")}`] as const;
    for (const core of cores) this.cores.set(core, path);
    return cores.join(inside);
  }

  /** A secret that somebody else made. */
  add(path: string, secret: string): void {
    this.cores.set(secret, path);
  }

  /** The paths of the secrets that are in these bytes, whole or in part, as they are or in base64. */
  foundIn(bytes: string): string[] {
    const found = [...this.cores].filter(([core]) => spellings(core).some((spelling) => bytes.includes(spelling)));
    return [...new Set(found.map(([, path]) => path))].toSorted();
  }
}

/** The text itself, and what base64 makes of it wherever in a text it stands, in both alphabets. */
function spellings(text: string): string[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${"\0".repeat(before)}${text}`).toString("base64");
    // Without the characters that hold bits of what is before and behind.
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + text.length) * 8) / 6));
  });
  const hex = Buffer.from(text).toString("hex");
  return [text, encodeURIComponent(text), hex, ...inBase64, ...inBase64.map(inUrlAlphabet)];
}

function inUrlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
