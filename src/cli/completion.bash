# What follows the tables: which of their words fit at the cursor.

# Bash splits words at '=' and ':'; here `--format=js` and `batch=8` are one word each.
_jouletree_words() {
  words=()
  local i piece joined=
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    piece=${COMP_WORDS[i]}
    if [[ -n $joined || $piece == [=:] ]] && ((${#words[@]} > 1)); then
      words[-1]+=$piece
    else
      words+=("$piece")
    fi
    joined=
    if [[ $piece == [=:] ]]; then joined=1; fi
  done
}

# Reads the words before the cursor: the command they name, the flag that waits for its value, and
# the place of the next word that belongs to no flag.
_jouletree_context() {
  command=jouletree flag='' place=1
  local word
  for word in "${words[@]:1:${#words[@]}-2}"; do
    if [[ -n $flag ]]; then
      flag=
    elif [[ $word == -* ]]; then
      if [[ -n ${_jouletree_values[$command $word]-} ]]; then flag=$word; fi
    elif [[ " ${_jouletree_commands[$command]-} " == *" $word "* ]]; then
      command+=" $word"
    else
      place=$((place + 1))
    fi
  done
}

_jouletree_paths() {
  case $1 in
    @folder) compgen -d -- "$2" ;;
    @file) compgen -f -- "$2" ;;
    @model)
      local models
      models=$(compgen -f -X '!*.onnx' -- "$2"; compgen -f -X '!*.pt' -- "$2")
      if [[ -n $models ]]; then
        printf '%s\n' "$models"
        compgen -d -- "$2"
      else
        compgen -f -- "$2"
      fi
      ;;
  esac
}

_jouletree() {
  local words command flag place
  _jouletree_words
  _jouletree_context
  local word=${words[-1]} wanted
  if [[ -z $flag && $word == --*=* ]]; then
    flag=${word%%=*} word=${word#*=}
  fi
  if [[ -n $flag ]]; then
    wanted=${_jouletree_values[$command $flag]-}
  elif [[ $word == -* ]]; then
    wanted=${_jouletree_flags[$command]-}
  else
    wanted=${_jouletree_commands[$command]-}
    wanted=${wanted:-${_jouletree_values[$command $place]-${_jouletree_values[$command *]-}}}
    wanted=${wanted:-${_jouletree_flags[$command]-}}
  fi
  case $wanted in
    @none) COMPREPLY=() ;;
    @*)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(_jouletree_paths "$wanted" "$word")
      ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$wanted" -- "$word") ;;
  esac
}

complete -F _jouletree jouletree
