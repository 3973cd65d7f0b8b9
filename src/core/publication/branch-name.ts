/** What git takes for a branch, and no option. https://git-scm.com/docs/git-check-ref-format */
export function isBranchName(value: string): boolean {
  return (
    /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\/\.))[^\s\p{Cc}~^:?*[\\]{1,200}$/u.test(value) && !/(?:\.lock|[/.])$/.test(value)
  );
}
