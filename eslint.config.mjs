import js from "@eslint/js";
import tseslint from "typescript-eslint";

const browserGlobals = Object.fromEntries(
  [
    ...["Blob", "EventSource", "ResizeObserver", "URL", "document", "fetch", "getComputedStyle", "location"],
    ...["requestAnimationFrame", "setInterval", "setTimeout"],
  ].map((name) => [name, "readonly"]),
);

export default tseslint.config(
  { ignores: ["dist/", "**/node_modules/", ".cache/"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", ignoreRestSiblings: true, ignoreUsingDeclarations: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
  {
    files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { "no-undef": "off", "@typescript-eslint/no-require-imports": "off" },
  },
  {
    // Runs in a browser, as it is: only what every browser has.
    files: ["simulator/page/page.js"],
    languageOptions: { sourceType: "module", globals: browserGlobals },
    rules: {
      "no-undef": "error",
      // Stored values must never become markup or script.
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "setHTMLUnsafe"].map((property) => ({ property })),
      ],
      "no-eval": "error",
      "no-implied-eval": "error",
    },
  },
);
