/** Takes a resource out of the stack without a call. It may be protected. The host is not told the URN. */
export const stateDelete = "`pulumi state delete --force '<URN>'`";

export const showUrns = "`pulumi stack --show-urns` shows the URN.";

/** The way out where nothing can prove that an object is gone. */
export function removeFromStack(condition: string): string {
  return `${condition}, remove the resource from the stack: ${stateDelete}. ${showUrns}`;
}
