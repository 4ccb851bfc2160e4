import type { Application, Context, DeclarationReflection, ProjectReflection, Typedoc } from "./typedoc";

const hiddenBase = "CustomResource";

/** A plugin for typedoc that decides what the pages contain, and what they leave out because another page has it. */
export function contents(typedoc: Typedoc): (application: Application) => void {
  const { Converter, ReflectionKind } = typedoc;
  return ({ converter, options }) => {
    converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
      const { project } = context;
      for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias))
        spellOut(alias as DeclarationReflection, context, typedoc);
      const interfaces = project.getReflectionsByKind(ReflectionKind.Interface) as DeclarationReflection[];
      for (const declaration of interfaces) leaveOutInherited(declaration, project);
      for (const resource of project.getReflectionsByKind(ReflectionKind.Class) as DeclarationReflection[]) {
        const args = interfaces.find(({ name }) => name === `${resource.name}Args`);
        if (args !== undefined) borrowComments(resource, args);
      }
    });
    // After typedoc has resolved what overrides what.
    converter.on(Converter.EVENT_RESOLVE_END, hideBases, -1000);
    converter.on(Converter.EVENT_RESOLVE_END, ({ project }: Context) => {
      options.setValue("intentionallyNotDocumented", fieldsOfTheService(project));
    });
  };

  /** The base class of all resources is documented by Pulumi. */
  function hideBases({ project }: Context): void {
    for (const resource of project.getReflectionsByKind(ReflectionKind.Class) as DeclarationReflection[]) {
      if (resource.extendedTypes?.some((base) => base.type === "reference" && base.name === hiddenBase)) {
        delete resource.extendedTypes;
        delete resource.typeHierarchy;
      }
      for (const member of resource.children ?? [])
        for (const declared of [member, ...(member.signatures ?? [])]) delete declared.overwrites;
    }
  }

  /** The fields of the simulator's objects are the service's own, under its own names, and need no comment. */
  function fieldsOfTheService(project: ProjectReflection): string[] {
    const fields = project.getReflectionsByKind(ReflectionKind.Property).filter((field) => !field.hasComment());
    const names = new Set(fields.map((field) => field.getFriendlyFullName()));
    return [...names].filter((name) => name.startsWith("simulator."));
  }
}

/** Shows `"a" | "b"` instead of `(typeof list)[number]`. */
function spellOut(alias: DeclarationReflection, context: Context, typedoc: Typedoc): void {
  const symbol = context.getSymbolFromReflection(alias);
  const type = symbol && context.programs[0]?.getTypeChecker().getDeclaredTypeOfSymbol(symbol);
  if (type?.isUnion() !== true) return;
  const values = type.types.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
  if (values.length < type.types.length) return;
  alias.type = new typedoc.UnionType(values.map((value) => new typedoc.LiteralType(value)));
}

/** Inherited members are documented at the interface that declares them. */
function leaveOutInherited(declaration: DeclarationReflection, project: ProjectReflection): void {
  for (const member of [...(declaration.children ?? [])]) {
    const { qualifiedName = "" } = project.getSymbolIdFromReflection(member) ?? {};
    if (qualifiedName.includes(".") && !qualifiedName.startsWith(`${declaration.name}.`))
      project.removeReflection(member);
  }
}

/** An output that returns an argument takes over the comment of the argument, so that the source has it once. */
function borrowComments(resource: DeclarationReflection, args: DeclarationReflection): void {
  for (const output of resource.children ?? []) {
    // TypeScript resolves `Output<boolean>` to this name.
    if (output.type?.type === "reference" && output.type.name === "OutputInstance") output.type.name = "Output";
    const comment = args.children?.find(({ name }) => name === output.name)?.comment;
    if (output.comment === undefined && comment !== undefined) output.comment = comment.clone();
  }
}
