# What stands between pbem and the world: a web server with its certificate, and Postfix.
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of deploy/install

# The file where Caddy keeps its certificate (crt) or the key of that (key), for the name $2 or else the domain.
certificate() {
  local folder=${acme#https://} name=${2:-$domain}
  echo "/var/lib/caddy/.local/share/caddy/certificates/${folder//\//-}/$name/$name.$1"
}

set_up_web() {
  step=web
  remember web "$web"
  remember acme "$acme"
  [ -z "$address" ] || remember address "$address"
  case $web in
    caddy) set_up_caddy ;;
    none) say "left alone: put a web server with a certificate for $domain before http://$web_listen" ;;
  esac
}

# Our Caddyfile with the names of this machine in place of variables, which containers set.
caddy_sites() {
  local tls="\\ttls $operator {\\n\\t\\tca $acme\\n\\t}"
  local mode=enforce # other servers must find TLS at Postfix only once it has a certificate
  [ -s "$(certificate crt)" ] || mode=testing
  for_here "$tree/deploy/caddy/Caddyfile" | sed 's/{$[A-Z_]*:\([^}]*\)}/\1/g' |
    sed "s/^mode: enforce/mode: $mode/; s,^\\(mta-sts\\.\\)\\?$domain {\$,&\\n$tls,"
}

set_up_caddy() {
  local before=$changes
  put "$etc/Caddyfile" 644 root < <(caddy_sites)
  if ! grep -qsx "import $etc/Caddyfile" /etc/caddy/Caddyfile; then
    did "adding a line to /etc/caddy/Caddyfile: import $etc/Caddyfile"
    act add_line "import $etc/Caddyfile" /etc/caddy/Caddyfile
  fi
  run_with_changes caddy "$before"
}

# The addresses of the name $1, as DNS has them and not /etc/hosts.
looked_up() {
  "$program/bin/python" - "$1" <<'END'
import sys
import dns.exception, dns.resolver

for kind in ("A", "AAAA"):
    try:
        print(*dns.resolver.resolve(sys.argv[1], kind, lifetime=10), sep="\n")
    except dns.exception.DNSException:
        pass
END
}

leads_here() { [ "${#addresses[@]}" -gt 0 ] && looked_up "$1" | grep -qxF "$(printf '%s\n' "${addresses[@]}")"; }

get_certificate() {
  step=https
  if [ "$web" = none ] || [ -n "$dry" ]; then return; fi
  if [ -s "$(certificate crt)" ]; then
    say "as before: $domain has a certificate"
  elif ! leads_here "$domain" || ! leads_here "mta-sts.$domain"; then
    say "no certificate yet: first $domain and mta-sts.$domain must lead here, by DNS"
  else
    did "getting a certificate for $domain"
    wait_for_caddy || say "there is none yet. Is a firewall before the ports 80 and 443? See journalctl -u caddy"
  fi
}

# Caddy gets one by itself, but after failures it waits longer and longer; so it begins anew.
wait_for_caddy() {
  act systemctl restart caddy
  local left=90
  while [ ! -s "$(certificate crt)" ] || [ ! -s "$(certificate crt "mta-sts.$domain")" ]; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 1
  done
  step=web
  set_up_caddy
}

# The settings of deploy/postfix/main.cf, one a line; TLS once there is a certificate.
postfix_settings() {
  for_here "$tree/deploy/postfix/main.cf" | sed "s,texthash:/etc/postfix/transport,texthash:$etc/transport," |
    grep '^[a-z_]* ='
  echo 'inet_interfaces = all'
  if [ "$web" != none ] && [ -s "$(certificate crt)" ]; then
    echo 'smtpd_tls_security_level = may'
    echo "smtpd_tls_chain_files = $(certificate key), $(certificate crt)"
  fi
}

# Set what differs, and note what it was, so that --remove can put it back.
configure_postfix() {
  local name value changed=()
  postconf -n >"$scratch/postfix" 2>/dev/null || true
  while read -r name _ value; do
    if grep -qxF "$name =${value:+ $value}" "$scratch/postfix"; then continue; fi
    changed+=("$name = $value")
    if [ -n "$dry" ] || grep -qs "^$name " "$notes/postfix"; then continue; fi
    mkdir -p "$notes"
    echo "$name $(grep "^$name =" "$scratch/postfix" || echo unset)" >>"$notes/postfix"
  done < <(postfix_settings)
  if [ "${#changed[@]}" -gt 0 ]; then
    did "settings changed in /etc/postfix/main.cf: ${#changed[@]} (deploy/postfix/main.cf explains them)"
    act postconf -e "${changed[@]}"
  fi
  if [ -z "$(postconf -M pbem/unix 2>/dev/null)" ]; then
    did "adding a way to pbem in /etc/postfix/master.cf"
    act postconf -M "pbem/unix=$(grep '^pbem ' "$tree/deploy/postfix/master.cf")"
  fi
}

# Where Postfix listens: a change of this needs a restart.
postfix_listens() { postconf -h inet_interfaces inet_protocols 2>/dev/null || true; }

set_up_postfix() {
  step=postfix
  remember mail "$mail"
  if [ "$mail" = none ]; then
    say "left alone: deploy/postfix/main.cf shows what a mail server needs; pbem takes LMTP at $lmtp_listen"
    return
  fi
  local before=$changes listens how=reload-or-restart
  put "$etc/transport" 644 root < <(for_here "$tree/deploy/postfix/transport")
  [ -e /etc/postfix/main.cf ] || act touch /etc/postfix/main.cf
  listens=$(postfix_listens)
  if [ -z "$dry" ] || command -v postconf >/dev/null; then configure_postfix; fi
  act postfix check
  if [ -n "$interrupted" ] || [ "$listens" != "$(postfix_listens)" ]; then how=restart; fi
  run_with_changes postfix "$before" "$how"
}
