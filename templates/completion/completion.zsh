#compdef wrkbench
# Completions of wrkbench for zsh.
_wrkbench() {
  local line
  local -a described
  # Words as they were typed: what stands in them is neither expanded nor run.
  for line in "${(@f)$(wrkbench complete -- "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    # The last line says how a shell is to go on, and begins with a colon.
    [[ $line == :* || -z $line ]] || described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  compset -P '*='
  _describe -t wrkbench wrkbench described
}
if [[ ${funcstack[1]} == _wrkbench ]]; then _wrkbench "$@"; else compdef _wrkbench wrkbench; fi
