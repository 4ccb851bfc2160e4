/** The way out where nothing can prove that an object is gone. The host is not told the URN, so the user has to look it up. */
export function removeFromStack(condition: string): string {
  return `${condition}, remove the resource from the stack: \`pulumi state delete --force '<URN>'\`. \`pulumi stack --show-urns\` shows its URN.`;
}
