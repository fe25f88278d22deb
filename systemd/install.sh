#!/bin/sh
# Installs goengined as a systemd service from this checkout, or brings it up to date.
# What is done already is left alone, so it may be run again at any time.
set -eu

usage='usage: systemd/install.sh [OPTION ...]

  --prefix DIR      where the program goes, all of it (default: /opt/goengine)
  --python FILE     a Python 3.11 or newer that every user can run (default: one is looked for)
  --sizes "N ..."   boards whose kernels are compiled now: 9, 13, 19, 25 (default: all)
  --no-start        enable the service, but do not start it
  --dry-run         print what would be done, and do nothing
  --uninstall       remove the program; configuration and games stay
  --purge           with --uninstall: remove these, and the user, too
  -h, --help        print this'

prefix=/opt/goengine python='' sizes='9 13 19 25' must_start=yes is_dry='' task=install is_purge=''

fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --python | --sizes)
        [ $# -gt 1 ] || fail "$1 needs a value; --help explains"
        case $1 in
        --prefix) prefix=$2 ;;
        --python) python=$2 ;;
        --sizes) sizes=$2 ;;
        esac
        shift
        ;;
    --no-start) must_start='' ;;
    --dry-run) is_dry=yes ;;
    --uninstall) task=uninstall ;;
    --purge) is_purge=yes ;;
    -h | --help)
        printf '%s\n' "$usage"
        exit 0
        ;;
    *) fail "there is no option $1; --help lists them" ;;
    esac
    shift
done

source=$(cd "$(dirname "$0")/.." && pwd)
user=goengine config=/etc/goengine/goengined.toml
units=/etc/systemd/system cache=/var/cache/goengine state=/var/lib/goengine
mark=$prefix/installed # what was installed; nobody else's directory has it
changed=''             # has anything that a running daemon should know?

case $prefix in
/) fail "--prefix: $prefix is everything; name a directory such as /opt/goengine" ;;
/*[!A-Za-z0-9/._-]*) fail "--prefix: $prefix: letters, digits and / . _ - only" ;;
/*) ;;
*) fail "--prefix: $prefix does not begin with /" ;;
esac
[ -z "$is_purge" ] || [ "$task" = uninstall ] || fail '--purge goes with --uninstall'
[ -n "$is_dry" ] || [ "$(id -u)" = 0 ] || fail 'has to be run by root (or with --dry-run)'

# --- saying and doing ----------------------------------------------------------------

step() {
    printf '==> %s\n' "$1"
}

note() {
    printf '    %s\n' "$1"
}

run() {
    if [ -n "$is_dry" ]; then
        note "$*"
    else
        "$@"
    fi
}

# put SOURCE TARGET: a file of ours, with the prefix in place of the default one
put() {
    if sed "s|/opt/goengine|$prefix|g" "$source/systemd/$1" | cmp -s - "$2"; then
        note "$2 is up to date"
        return
    fi
    changed=yes
    note "writes $2"
    [ -n "$is_dry" ] || {
        mkdir -p "$(dirname "$2")"
        sed "s|/opt/goengine|$prefix|g" "$source/systemd/$1" >"$2.new"
        chmod 0644 "$2.new"
        mv "$2.new" "$2"
    }
}

# As the service runs: no variable of this shell reaches it, above all none of numba's.
as_service() {
    run setpriv --reuid "$user" --regid "$user" --init-groups -- \
        env -i PATH=/usr/bin:/bin TERM="${TERM:-dumb}" GOENGINE_CACHE_DIR="$cache" \
        RUNTIME_DIRECTORY=/run/goengine STATE_DIRECTORY="$state" "$@"
}

is_systemd_running() {
    [ -d /run/systemd/system ]
}

# --- a Python that the service can run -----------------------------------------------

# why_not FILE: what is wrong with a Python; nothing if it will do
why_not() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
        echo 'is not Python 3.11 or newer'
        return
    }
    "$1" -c 'import ensurepip, venv' 2>/dev/null || {
        echo 'has no venv: install that, on Debian and Ubuntu with apt install python3-venv'
        return
    }
    [ "$(id -u)" = 0 ] || return 0 # then it cannot be tried
    (cd / && setpriv --reuid 65534 --regid 65534 --clear-groups "$1" -c '' 2>/dev/null) ||
        echo 'cannot be run by other users: it, or what it needs, is in a private directory'
}

find_python() {
    tried=''
    for candidate in ${python:-/usr/bin/python3 /usr/local/bin/python3 python3.14 python3.13 \
        python3.12 python3.11 python3}; do
        found=$(command -v "$candidate") || found=''
        problem='is not there'
        [ -z "$found" ] || problem=$(why_not "$found")
        if [ -z "$problem" ]; then
            python=$found
            note "$python, $("$python" --version)"
            [ -z "$tried" ] || printf '%s' "$tried"
            return
        fi
        [ -z "$found" ] && [ -z "$python" ] || tried="$tried    not ${found:-$candidate}: it $problem
"
    done
    fail "no Python that the service could run; name one with --python
$tried"
}

# --- installing ------------------------------------------------------------------------

# What the program is made of, as one number.
fingerprint() {
    (
        cd "$source"
        "$python" --version
        find goengine daemon clients pyproject.toml -type f ! -name '*.pyc' | LC_ALL=C sort |
            xargs sha256sum
    ) | sha256sum | cut -d ' ' -f 1
}

install_program() {
    if [ -e "$prefix" ] && [ ! -e "$mark" ] && [ -n "$(ls -A "$prefix")" ]; then
        fail "$prefix is in use by something else; name another directory with --prefix"
    fi
    now=$(fingerprint)
    if [ -e "$mark" ] && [ "$(cat "$mark")" = "$now" ]; then
        note 'this version is there already'
        return
    fi
    changed=yes
    run mkdir -p "$prefix"
    run chmod 0755 "$prefix"
    [ -n "$is_dry" ] || echo incomplete >"$mark"
    [ -x "$prefix/bin/python" ] && [ "$("$prefix/bin/python" --version)" = "$("$python" --version)" ] ||
        run "$python" -m venv --clear "$prefix"
    [ -n "$is_dry" ] || echo incomplete >"$mark"
    # From a copy: what the build leaves behind shall not lie in the checkout.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    run cp -R "$source/goengine" "$source/daemon" "$source/clients" "$source/pyproject.toml" \
        "$source/README.md" "$source/LICENSE" "$copy"
    umask 022
    run "$prefix/bin/python" -m pip install --disable-pip-version-check 'setuptools>=77'
    run "$prefix/bin/python" -m pip install --disable-pip-version-check --no-build-isolation \
        "$copy"
    [ -n "$is_dry" ] || echo "$now" >"$mark"
}

write_config() {
    if [ -e "$config" ]; then
        note "$config stays as it is; goengined --print-config shows what else there is"
        return
    fi
    note "writes $config"
    [ -z "$is_dry" ] || return 0
    mkdir -p "$(dirname "$config")"
    as_service "$prefix/bin/goengined" --print-config --socket-mode 0660 >"$config.new"
    chmod 0644 "$config.new"
    mv "$config.new" "$config"
}

start_service() {
    run systemctl enable goengined.socket goengined.service
    if ! is_systemd_running; then
        note 'systemd does not run here: the service starts at the next boot'
    elif [ -n "$must_start" ]; then
        run systemctl daemon-reload
        run systemctl start goengined.socket
        if [ -n "$changed" ]; then
            run systemctl restart goengined.service
        else
            run systemctl start goengined.service
        fi
        run systemctl --no-pager --lines 0 status goengined.service
    fi
}

install() {
    for command in systemctl systemd-sysusers systemd-tmpfiles setpriv; do
        command -v "$command" >/dev/null || fail "$command is missing: this needs systemd"
    done
    step 'looking for Python'
    find_python
    step "installing the program into $prefix"
    install_program
    step 'making the user, directories and units'
    put sysusers.conf /etc/sysusers.d/goengine.conf
    put tmpfiles.conf /etc/tmpfiles.d/goengine.conf
    put goengined.socket "$units/goengined.socket"
    put goengined.service "$units/goengined.service"
    run systemd-sysusers goengine.conf
    run systemd-tmpfiles --create goengine.conf
    run mkdir -p "$cache"
    run chown -R "$user:$user" "$cache"
    write_config
    step 'compiling kernels for this processor, which takes minutes the first time'
    # shellcheck disable=SC2086  # several sizes
    (cd / && as_service "$prefix/bin/goengine" warm --sizes $sizes)
    step 'enabling the service'
    start_service
    step 'done'
    note "who may connect:   usermod -aG $user NAME"
    note "what can be set:   $config, then systemctl reload goengined"
    note "how it does:       systemctl status goengined; $prefix/bin/goengine ctl top"
}

# --- and removing ------------------------------------------------------------------------

uninstall() {
    step 'stopping the service'
    if is_systemd_running; then
        run systemctl disable --now goengined.socket goengined.service || true
    else
        run systemctl disable goengined.socket goengined.service || true
    fi
    step 'removing units and program'
    for file in "$units/goengined.service" "$units/goengined.socket" \
        /etc/sysusers.d/goengine.conf /etc/tmpfiles.d/goengine.conf; do
        run rm -f "$file"
    done
    if [ -e "$mark" ]; then
        run rm -rf "$prefix"
    else
        note "$prefix is not ours, and stays"
    fi
    run rm -rf "$cache" /run/goengine
    ! is_systemd_running || run systemctl daemon-reload
    if [ -n "$is_purge" ]; then
        step 'removing configuration, games and user'
        run rm -rf /etc/goengine "$state"
        ! id "$user" >/dev/null 2>&1 || run userdel "$user"
    else
        note "kept: /etc/goengine, $state and the user $user (--purge removes them)"
    fi
}

$task
