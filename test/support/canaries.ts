import { randomBytes } from "node:crypto";

/**
 * Recognizable secrets, one for each path that a secret can take. Each begins and ends with letters and digits, which JSON
 * and URLs do not escape. Between them are characters that they escape.
 */
export class Canaries {
  private readonly cores = new Map<string, string>();

  /** A secret for one path, with these characters inside. */
  make(path: string, inside = "-"): string {
    const cores = [`Aa${randomBytes(8).toString("hex")}`, `Zz${randomBytes(8).toString("hex")}`] as const;
    for (const core of cores) this.cores.set(core, path);
    return cores.join(inside);
  }

  /** Adds a secret that was made elsewhere. */
  add(path: string, secret: string): void {
    this.cores.set(secret, path);
  }

  /** The paths of the secrets that are in this text, whole or in part, in plain text or base64. */
  foundIn(bytes: string): string[] {
    const found = [...this.cores].filter(([core]) => spellings(core).some((spelling) => bytes.includes(spelling)));
    return [...new Set(found.map(([, path]) => path))].toSorted();
  }
}

/** The text itself, and its base64 forms at every offset, in both alphabets. */
function spellings(text: string): string[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${"\0".repeat(before)}${text}`).toString("base64");
    // Without the characters that contain bits of the text before and after.
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + text.length) * 8) / 6));
  });
  const hex = Buffer.from(text).toString("hex");
  return [text, encodeURIComponent(text), hex, ...inBase64, ...inBase64.map(inUrlAlphabet)];
}

function inUrlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
