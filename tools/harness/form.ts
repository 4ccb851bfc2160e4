import { type Form, forms, typeOf } from "../../provider/pulumi/urn";

/* The form of the package that the tests run on the engine: the same programs, with another import. */

export type { Form };

const variable = "TESTED_WORKSPACE_APPS_FORM";

export const testedForm = formIn(process.env[variable] ?? "dynamic");

/** For suites that always run in both forms. */
export const allForms: readonly Form[] = testedForm === "dynamic" ? forms : [testedForm];

function formIn(text: string): Form {
  const found = forms.find((form) => form === text);
  if (found === undefined) throw new Error(`${variable} must be ${forms.join(" or ")}, not ${JSON.stringify(text)}.`);
  return found;
}

/** The type token of a kind. */
export function testedType(kind: string, form = testedForm): string {
  return typeOf(form, kind);
}

/** The program, importing the package in the tested form. Its other entries, such as `/policy`, are the same in both. */
export function testedProgram(program: string, form = testedForm): string {
  if (form === "dynamic") return program;
  return program.replaceAll(/(["'])pulumi-workspace-apps\1/g, "$1pulumi-workspace-apps/packaged$1");
}

/** The text of `Pulumi.yaml`, with the lines by which the engine finds the plugin of the packaged form. */
export function testedSettings(settings: string, form = testedForm): string {
  if (form === "dynamic" || /^plugins:/m.test(settings)) return settings;
  return `plugins:
  providers:
    - name: workspace-apps
      path: node_modules/pulumi-workspace-apps/plugin
${settings}`;
}
