import type { Application, Context, DeclarationReflection, ProjectReflection, Typedoc } from "./typedoc";

/** The entry point that is too long for one page. */
const divided = "provider";
/** A resource is a folder, a look-up a file. Their shared parts (errors, options) stay together. */
const ownPage = /^provider\/((?:resources|lookups)\/(?!shared\/)[^/]+?)(?:\/[^/]+)?\.ts$/;
const shared = "lookups/common";

/**
 * A plugin for typedoc that makes one page for each resource with its arguments, and for each look-up with both its forms
 * and its result. Typedoc itself offers one page for everything, or one for every type.
 */
export function pageByFile(typedoc: Typedoc): (application: Application) => void {
  return ({ converter }) => {
    const divide = ({ project }: Context): void => {
      const entryPoint = project.children?.find(({ name }) => name === divided);
      if (entryPoint === undefined) throw new Error(`there is no entry point ${divided}`);
      for (const declaration of [...(entryPoint.children ?? [])]) {
        const name = ownPage.exec(project.getSymbolIdFromReflection(declaration)?.packagePath ?? "")?.[1];
        if (name !== undefined) move(declaration, entryPoint, pageOf(name, project, typedoc));
      }
      entryPoint.name = shared;
    };
    // Once everything is declared, and before typedoc sorts and groups it.
    converter.on(typedoc.Converter.EVENT_RESOLVE_BEGIN, divide, 1000);
  };
}

function pageOf(name: string, project: ProjectReflection, typedoc: Typedoc): DeclarationReflection {
  const present = project.children?.find((page) => page.name === name);
  if (present !== undefined) return present;
  const page = new typedoc.DeclarationReflection(name, typedoc.ReflectionKind.Module, project);
  project.registerReflection(page, undefined, undefined);
  project.addChild(page);
  return page;
}

function move(declaration: DeclarationReflection, from: DeclarationReflection, to: DeclarationReflection): void {
  from.removeChild(declaration);
  declaration.parent = to;
  to.addChild(declaration);
}
