import assert from "node:assert/strict";
import fc from "fast-check";
import { publicUrlProblem } from "../../provider/service/public-url";

const accepted = [
  "https://example.com",
  "https://hooks.example.com/a/b?c=d#e",
  "https://example.com:8443/",
  "https://EXAMPLE.com./",
  "https://xn--bcher-kva.example/",
  "https://bücher.example/",
  "https://8.8.8.8/",
  "https://172.15.0.1/",
  "https://172.32.0.1/",
  "https://[2606:4700:4700::1111]/",
  "https://localhost.example.com/",
  "https://local.example.com/",
  "https://mylocal.dev/",
];

const refused: Record<string, [RegExp, string[]]> = {
  "text that is not a URL": [/absolute https URL/, ["", "example.com", "/path", "https://", "https://exa mple.com/"]],
  "text in which another parser may find another host": [
    /absolute https URL/,
    [
      String.raw`https://hooks.example.com\@evil.example/x`,
      String.raw`https:\\hooks.example.com/`,
      String.raw`https://hooks.example.com/a\b`,
      " https://hooks.example.com/",
      "https://hooks.example.com/ ",
      "https://hooks.exam\tple.com/",
      "https://hooks.example.com/a\nb",
      "https://hooks.example.com/\u0000",
      "https:hooks.example.com",
      "https:/hooks.example.com/",
      "https:///hooks.example.com/",
    ],
  ],
  "another scheme": [
    /https URL/,
    ["http://example.com/", "ftp://example.com/", "ws://example.com/", "file:///etc/passwd", "data:,x"],
  ],
  credentials: [/credentials/, ["https://user:password@example.com/", "https://user@example.com/"]],
  localhost: [
    /private/,
    ["https://localhost/", "https://LOCALHOST:8443/", "https://localhost./", "https://a.localhost/"],
  ],
  "a single-label host name": [/private/, ["https://intranet/", "https://intranet./"]],
  "a local network name": [/private/, ["https://printer.local/", "https://printer.local./", "https://a.internal/"]],
  "127.0.0.0/8": [/loopback/, ["https://127.0.0.1/", "https://127.255.255.254/", "https://127.1/"]],
  "127.0.0.1 in decimal, hexadecimal and octal": [
    /loopback/,
    [
      "https://2130706433/",
      "https://0x7f000001/",
      "https://0x7f.0.0.1/",
      "https://0177.0.0.1/",
      "https://１２７.0.0.1/",
    ],
  ],
  "private networks": [
    /private/,
    ["https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.1.1/", "https://10.1/"],
  ],
  "link-local addresses, which serve cloud metadata": [/linkLocal/, ["https://169.254.169.254/", "https://[fe80::1]/"]],
  "other special IPv4 addresses": [
    /its address is/,
    ["https://0.0.0.0/", "https://100.64.0.1/", "https://192.0.2.1/", "https://224.0.0.1/", "https://255.255.255.255/"],
  ],
  "IPv6 loopback and unspecified": [/loopback|unspecified/, ["https://[::1]/", "https://[::]/"]],
  "unique local IPv6": [/uniqueLocal/, ["https://[fc00::1]/", "https://[fdff::1]/"]],
  "IPv4 inside IPv6": [
    /its address is/,
    [
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://[::ffff:7f00:1]/",
      "https://[::127.0.0.1]/",
      "https://[64:ff9b::127.0.0.1]/",
      "https://[2002:7f00:1::]/",
    ],
  ],
  "unassigned IPv6": [/its address is/, ["https://[fec0::1]/", "https://[2001:db8::1]/", "https://[4000::1]/"]],
};

describe("The public URL check", () => {
  for (const url of accepted)
    it(`accepts ${url}`, () => {
      assert.equal(publicUrlProblem(url), undefined);
    });

  for (const [what, [problem, urls]] of Object.entries(refused))
    it(`refuses ${what}`, () => {
      for (const url of urls) assert.match(publicUrlProblem(url) ?? "accepted", problem, JSON.stringify(url));
    });

  it("refuses any private IPv4 address in any notation", () => {
    const address = fc.oneof(
      fc.integer({ min: 0x0a000000, max: 0x0affffff }),
      fc.integer({ min: 0x7f000000, max: 0x7fffffff }),
      fc.integer({ min: 0xac100000, max: 0xac1fffff }),
      fc.integer({ min: 0xc0a80000, max: 0xc0a8ffff }),
      fc.integer({ min: 0xa9fe0000, max: 0xa9feffff }),
    );
    fc.assert(
      fc.property(address, (number) => {
        const hexadecimal = number.toString(16).padStart(8, "0");
        const forms = [
          String(number),
          `0x${hexadecimal}`,
          `0${number.toString(8)}`,
          `[::ffff:${hexadecimal.slice(0, 4)}:${hexadecimal.slice(4)}]`,
        ];
        for (const form of forms) assert.notEqual(publicUrlProblem(`https://${form}/`), undefined, form);
      }),
    );
  });
});
