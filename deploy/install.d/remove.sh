# deploy/install --remove: takes everything back but what players and the operator made.
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of deploy/install

remove_file() {
  if [ ! -e "$1" ] && [ ! -L "$1" ]; then return; fi
  did "removing $1"
  act rm -rf "$1"
}

remove_services() {
  step=service
  local each
  for each in "${units[@]}"; do
    if [ -e "/etc/systemd/system/$each" ]; then act systemctl disable --now "$each"; fi
  done
  for each in "${units[@]}"; do remove_file "/etc/systemd/system/$each"; done
  act systemctl daemon-reload
}

remove_web() {
  step=web
  local before=$changes each
  remove_file /etc/nginx/sites-enabled/pbem # of an earlier version
  if grep -qsx "import $etc/Caddyfile" /etc/caddy/Caddyfile; then
    did "taking our line out of /etc/caddy/Caddyfile"
    act sed -i "\\,^import $etc/Caddyfile\$,d" /etc/caddy/Caddyfile
  fi
  remove_file "$etc/Caddyfile"
  remove_file "$etc/nginx.conf"
  for each in caddy nginx; do
    if [ "$changes" -ne "$before" ] && systemctl is-active --quiet "$each"; then act systemctl reload "$each"; fi
  done
}

remove_from_postfix() {
  step=postfix
  if [ ! -e "$notes/postfix" ] || ! command -v postconf >/dev/null; then return; fi
  did "putting its settings back"
  local added changed
  mapfile -t added < <(sed -n 's/ unset$//p' "$notes/postfix")
  mapfile -t changed < <(sed -n 's/^[^ ]* \([a-z_]* =.*\)/\1/p' "$notes/postfix")
  [ "${#added[@]}" -eq 0 ] || act postconf -X "${added[@]}"
  [ "${#changed[@]}" -eq 0 ] || act postconf -e "${changed[@]}"
  act postconf -MX pbem/unix
  if systemctl is-active --quiet postfix; then act systemctl restart postfix; fi
}

# Web servers that show other sites by now; earlier versions installed nginx too.
busy_web_servers() {
  if dpkg --verify caddy 2>/dev/null | grep ' /etc/caddy/Caddyfile$' >/dev/null; then echo caddy; fi
  if [ -n "$(find /etc/nginx/sites-enabled /etc/nginx/conf.d -mindepth 1 ! -name default ! -name pbem 2>/dev/null)" ]; then
    printf '%s\n' nginx certbot
  fi
}

# The packages that stay, with all that they need: PostgreSQL has the games, and git and web servers serve others.
kept_packages() {
  local kept
  mapfile -t kept < <(
    echo git
    grep -E '^(lib)?(postgresql|pq)' "$notes/packages"
    busy_web_servers
  )
  printf '%s\n' "${kept[@]}"
  apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances "${kept[@]}" 2>/dev/null | grep '^[a-z0-9]' || true
}

packages_to_remove() {
  local each
  sort -u "$notes/packages" | comm -23 - <(kept_packages | sort -u) | while read -r each; do
    if is_installed "$each"; then echo "$each"; fi
  done
}

# Remove what was installed from Debian, unless something else needs it by now.
remove_packages() {
  step=packages
  if [ ! -s "$notes/packages" ]; then return; fi
  local ours
  mapfile -t ours < <(packages_to_remove)
  [ "${#ours[@]}" -gt 0 ] || return 0
  apt-get --simulate remove "${ours[@]}" 2>/dev/null | sed -n 's/^Remv \([^ ]*\).*/\1/p' | sort >"$scratch/gone"
  if [ -n "$(comm -23 "$scratch/gone" <(printf '%s\n' "${ours[@]}"))" ]; then
    say "staying, as others need some of them: ${ours[*]}"
    return
  fi
  did "removing what was installed from Debian"
  act apt-get -o DPkg::Lock::Timeout=300 remove --yes --quiet "${ours[@]}"
}

remove_all() {
  remove_services
  remove_web
  remove_from_postfix
  remove_packages
  step=program
  remove_file "$program"
  if grep -qs "$program/bin/pbem" "$command"; then remove_file "$command"; fi
  remove_file "$etc/transport"
  remove_file "$etc/dns.zone"
  remove_file "$notes"
  [ "$changes" -gt 0 ] || printf '\nThere was nothing to remove.\n'
  [ -z "$dry" ] || printf '\nThis was a dry run: nothing was changed.\n'
  printf '\nStill there: the games in %s, backups in %s, settings in %s, and their user pbem.\n' "$data" "$backups" "$etc"
}
