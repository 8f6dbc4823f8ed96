# What deploy/install finds out before it changes anything.
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of deploy/install

check_machine() {
  [ "$(id -u)" -eq 0 ] || fail "Only root may do this: become root first."
  command -v apt-get >/dev/null || fail "There is no apt-get here: this is for Debian. By hand: docs/run/by-hand.md"
  [ -d /run/systemd/system ] || fail "systemd does not run here. By hand: docs/run/by-hand.md"
  # shellcheck source=/dev/null
  system=$(. /etc/os-release && echo "${ID:-linux} ${VERSION_ID:-}")
  case $system in
    'debian 12' | 'debian 13') ;;
    *) echo "This is $system. Only Debian 12 and 13 were tried; going on." ;;
  esac
  check_program
}

# The program's folder is emptied and removed as a whole, so nothing else may be there.
check_program() {
  case $tree/ in
    "$program"/*) fail "This folder is in $program, where the program goes. Move it elsewhere, such as /srv/pbem." ;;
  esac
  if [ -n "$(ls -A "$program" 2>/dev/null)" ] && [ ! -e "$program/pyvenv.cfg" ]; then
    fail "$program holds something else. Move that away first."
  fi
}

is_name() { [[ $1 =~ ^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$ ]]; }

is_mailbox() { [[ $1 =~ ^[A-Za-z0-9._%+=-]+@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]+$ ]]; }

# A name that the world may know, not one of a home network.
is_public() {
  case $1 in *.local | *.localdomain | *.internal | *.lan | *.home | *.arpa | *.localhost) return 1 ;; esac
  is_name "$1"
}

# Ask a person, if one is there, for what cannot be found out: the variable, its option, the question.
ask() {
  [ -z "${!1}" ] || return 0
  [ -t 0 ] || fail "$3" "Answer with an option, such as  $2"
  read -r -p "$3 " "${1?}"
}

find_domain() {
  local known machine
  known=$(setting PBEM_HOST)
  machine=$(hostname -f 2>/dev/null || hostname)
  if [ -n "$known" ] && [ -n "$domain" ] && [ "$domain" != "$known" ]; then
    fail "This server is $known already, and letters bear that name. Nothing was changed."
  fi
  domain=${domain:-$known}
  if [ -z "$domain" ] && is_public "$machine"; then domain=$machine; fi
  ask domain "--domain games.example.org" "Under which name do players write, as games.example.org in play@games.example.org?"
  domain=${domain,,}
  is_name "$domain" || fail "$domain is no name of a server. Write it like games.example.org."
}

find_operator() {
  local known
  known=$(setting PBEM_OPERATOR)
  if [ -s "$settings" ]; then
    [ "${operator:-$known}" = "$known" ] || fail "PBEM_OPERATOR stands in $settings: change it there."
    operator=$known
    return
  fi
  ask operator "--operator you@example.net" "What is your own mail address, for letters when something needs you?"
  is_mailbox "$operator" || fail "$operator is no mail address. Write it like you@example.net."
  [ "${operator#*@}" != "$domain" ] || fail "$operator would be on this server, where nobody reads. Name another mailbox."
}

find_database() {
  [ -s "$settings" ] || return 0
  case $(setting PBEM_DATABASE) in
    postgres*) database=postgres ;;
    *) [ -z "$database" ] || fail "The games are in SQLite. docs/run/backup.md tells how they move to PostgreSQL." ;;
  esac
}

# The web server, the certificate authority, and whether Postfix is ours to set up: as the last time.
find_servers() {
  acme=${acme:-$(remembered acme)}
  acme=${acme:-https://acme-v02.api.letsencrypt.org/directory}
  mail=${mail:-$(remembered mail)}
  mail=${mail:-postfix}
  web=${web:-$(remembered web)}
  web=${web:-caddy}
  [ "$web" != nginx ] || fail "nginx is not set up any more. Keep it as it is by --no-web, or stop it and name --caddy."
}

# The address from which this machine reaches the world, by IPv4 or IPv6; nothing where it is private.
own_address() {
  local to=192.0.2.1 found
  [ "$1" = 4 ] || to=2001:db8::1
  found=$(ip -o "-$1" route get "$to" 2>/dev/null | sed -n 's/.* src \([^ ]*\).*/\1/p')
  case $found in
    10.* | 127.* | 192.168.* | 169.254.* | 172.1[6-9].* | 172.2?.* | 172.3[01].*) ;;
    100.6[4-9].* | 100.[7-9]?.* | 100.1[01]?.* | 100.12[0-7].* | ::1 | f[cd]* | fe80*) ;;
    *) echo "$found" ;;
  esac
}

find_addresses() {
  local found
  address=${address:-$(remembered address)}
  addresses=()
  for found in ${address:-$(own_address 4) $(own_address 6)}; do addresses+=("$found"); done
}

# The program that listens at port $1 where $2 should.
other_at() {
  local names
  names=$(ss -Hltnp "sport = :$1" 2>/dev/null | grep -o '("[^"]*"' | tr -d '("') || true
  if [ -n "$names" ] && ! grep -qx "$2" <<<"$names"; then head -n 1 <<<"$names"; fi
}

check_ports() {
  local port other
  if [ "$web" != none ]; then
    for port in 80 443; do
      other=$(other_at "$port" "$web")
      [ -z "$other" ] || fail "$other is at port $port, which $web needs. Stop it, or keep it by --no-web."
    done
  fi
  [ "$mail" = postfix ] || return 0
  other=$(other_at 25 master)
  [ -z "$other" ] || fail "$other is at port 25, which Postfix needs. Stop it, or keep it by --no-postfix (docs/run/mail-in.md)."
  check_mail_server
}

# Debian has one mail server at a time, and one that serves others is not ours to change.
check_mail_server() {
  local other name
  other=$(dpkg-query -W -f='${db:Status-Status} ${Package} ${Provides}\n' |
    sed -n 's/^installed \([^ ]*\) .*mail-transport-agent.*/\1/p' | grep -vx postfix | head -n 1) || true
  [ -z "$other" ] || fail "Debian would remove $other for Postfix. Remove it yourself, or keep it by --no-postfix (docs/run/mail-in.md)."
  if ! command -v postconf >/dev/null || [ ! -s "$(postconf -h config_directory 2>/dev/null)/main.cf" ]; then return; fi
  for name in $(postconf -hx mydestination virtual_mailbox_domains virtual_alias_domains relay_domains | tr ',' ' '); do
    case $name in
      "$domain" | localhost | localhost.* | "$(hostname)" | "$(hostname -f)" | "$(postconf -h myhostname)") ;;
      "$(cat /etc/mailname 2>/dev/null)") ;;
      *) fail "Postfix takes mail for $name already, so it is left alone. Use --no-postfix, and add the settings of deploy/postfix by hand." ;;
    esac
  done
}

free_port() {
  local port=$1
  while [ -n "$(ss -Hltn "sport = :$port" 2>/dev/null)" ]; do port=$((port + 1)); done
  echo "127.0.0.1:$port"
}

is_listen() { [[ $1 =~ ^(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+):[0-9]+$ ]]; }

check_listen() {
  is_listen "$2" || fail "$1 must be HOST:PORT in $settings, such as 127.0.0.1:8001, and is $2. Nothing was changed."
}

# Where pages and LMTP listen: as the settings say; before there are any, at the first free ports.
choose_ports() {
  web_listen=$(setting PBEM_WEB_LISTEN)
  lmtp_listen=$(setting PBEM_LMTP_LISTEN)
  if [ -s "$settings" ]; then
    web_listen=${web_listen:-127.0.0.1:8000}
    lmtp_listen=${lmtp_listen:-127.0.0.1:2526}
  fi
  web_listen=${web_listen:-$(free_port 8000)}
  lmtp_listen=${lmtp_listen:-$(free_port 2526)}
  check_listen PBEM_WEB_LISTEN "$web_listen"
  [ "$mail" = none ] || check_listen PBEM_LMTP_LISTEN "$lmtp_listen"
}
