/**
 * The directions of imports that docs/maintainers/architecture.md gives. Imports of types count too. A test, and not this,
 * shows which files load the SDK: what is imported within a function is not loaded with its file.
 */
const pulumi = "/@pulumi/|^provider/pulumi/";

function rule(name, { from = {}, to }) {
  return { name, severity: "error", from, to };
}

module.exports = {
  forbidden: [
    rule("no import cycles", { to: { circular: true } }),
    rule("tools and bench do not import test", { from: { path: "^(tools|bench)/" }, to: { path: "^test/" } }),
    rule("bench imports only the harness of tools", {
      from: { path: "^bench/" },
      to: { path: "^tools/", pathNot: "^tools/harness/" },
    }),
    rule("tools imports only the figures of bench", {
      from: { path: "^tools/" },
      to: { path: "^bench/", pathNot: "[.]json$" },
    }),
    rule("the service imports nothing else of the provider, and not Pulumi", {
      from: { path: "^provider/service/" },
      to: { path: "^provider/|/@pulumi/", pathNot: "^provider/service/" },
    }),
    rule("of a resource, only index.ts imports Pulumi", {
      from: { path: "^provider/resources/", pathNot: "^provider/resources/[^/]+/index[.]ts$" },
      to: { path: pulumi },
    }),
    rule("a kind imports no other kind and no look-up", {
      from: { path: "^provider/resources/(?!shared/)([^/]+)/" },
      to: { path: "^provider/(resources|lookups)/", pathNot: "^provider/resources/(shared|$1)/" },
    }),
    rule("resources/shared imports no kind and no look-up", {
      from: { path: "^provider/resources/shared/" },
      to: { path: "^provider/(resources|lookups)/", pathNot: "^provider/resources/shared/" },
    }),
    rule("a look-up imports its own files, the service, arguments, and what runs it", {
      from: { path: "^provider/lookups/" },
      to: {
        path: "^provider/",
        pathNot: [
          "^provider/(lookups/shared|service)/",
          "^provider/arguments[.]ts$",
          "^provider/pulumi/(lookup-functions|provider)[.]ts$",
          "^provider/resources/entity-record/record[.]ts$",
        ],
      },
    }),
    rule("arguments, settings and the like do not import Pulumi", {
      from: { path: "^provider/[^/]+$", pathNot: "^provider/(index|packaged|runtime)[.]ts$" },
      to: { path: pulumi },
    }),
    rule("arguments, settings and the like import only each other and the service", {
      from: { path: "^provider/[^/]+$", pathNot: "^provider/(index|packaged|registry|runtime)[.]ts$" },
      to: { path: "^provider/(resources|lookups)/|^provider/(index|packaged|registry|runtime)[.]ts$" },
    }),
    rule("the simulator does not use the client", {
      from: { path: "^simulator/" },
      to: { path: "^provider/(?!service/)|^provider/service/(client|transport|retry|rate-limiter)[.]ts$" },
    }),
    rule("the command does not import the SDK", { from: { path: "^cli/" }, to: { path: "/@pulumi/" } }),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
  },
};
