# Completions of wrkbench for bash.
__wrkbench_complete() {
  local line=${COMP_LINE:0:COMP_POINT} value
  local -a words
  # As they were typed: what stands in them is neither expanded nor run.
  read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  COMPREPLY=()
  while IFS=$'\t' read -r value _; do
    # The last line says how a shell is to go on, and begins with a colon.
    [[ $value == :* || -z $value ]] || COMPREPLY+=("$value")
  done < <(wrkbench complete -- "${words[@]:1}" 2> /dev/null)
}
complete -F __wrkbench_complete wrkbench
