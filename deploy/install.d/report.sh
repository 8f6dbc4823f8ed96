# The end of deploy/install: what the world sees, and the records that it must see yet.
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of deploy/install

of_dns='MX|SPF|DKIM|DMARC|PTR|MTA-STS|TLS-RPT' # what records bring right, in pbem check

address_record() {
  case $2 in
    *:*) echo "$1. IN AAAA $2" ;;
    *) echo "$1. IN A $2" ;;
  esac
}

dns_records() {
  local each
  for each in "${addresses[@]:-ADDRESS-OF-THIS-MACHINE}"; do
    address_record "$domain" "$each"
    [ "$web" = none ] || address_record "mta-sts.$domain" "$each"
  done
  echo "$domain. IN MX 10 $domain."
  echo "$domain. IN TXT \"v=spf1 mx -all\""
  as_pbem "$program/bin/pbem" dkim 2>/dev/null | sed 's/( //; s/ )$//'
  echo "_dmarc.$domain. IN TXT \"v=DMARC1; p=quarantine; rua=mailto:$operator\""
  echo "_smtp._tls.$domain. IN TXT \"v=TLSRPTv1; rua=mailto:$operator\""
  [ "$web" = none ] || echo "_mta-sts.$domain. IN TXT \"v=STSv1; id=1\""
}

# What another domain must publish so that reports about our mail come there (RFC 7489 7.1); nothing for ours.
report_record() {
  local receiver=${operator#*@}
  case ".$receiver" in *".$domain") return ;; esac
  case ".$domain" in *".$receiver") return ;; esac
  echo "$domain._report._dmarc.$receiver. IN TXT \"v=DMARC1\""
}

# What pbem check finds, without its advice on records: they are printed whole below.
short_check() {
  awk -v dns="^($of_dns)" '/^(ok|hint|wrong) / { quiet = $2 " " $3 ~ dns } /^[^ ]/ || !quiet' "$scratch/check"
}

report() {
  [ "$changes" -gt 0 ] || printf '\nNothing had to be changed.\n'
  if [ -n "$dry" ]; then
    printf '\nThis was a dry run: nothing was changed.\n'
    return
  fi
  step=check
  dns_records >"$etc/dns.zone"
  printf '\nNow "pbem check" looks at the server as the world does:\n\n'
  as_pbem "$program/bin/pbem" check >"$scratch/check" || true
  short_check | sed 's/^/  /'
  if grep -qE "^(hint|wrong) +($of_dns)" "$scratch/check"; then
    tell_records
  elif grep -q '^All is well' "$scratch/check"; then
    tell_ready
  else
    fail "Mend what is wrong above; \"pbem check\" looks again."
  fi
}

tell_ready() {
  cat <<END

It is ready. Anybody can write  register YOURNAME  to play@$domain, and look on at https://$domain
END
}

tell_records() {
  cat <<END

What is not "ok" above about MX, SPF, DKIM, DMARC, PTR, MTA-STS and TLS-RPT waits for DNS.
Publish these records where DNS for $domain is kept, mostly where the name was bought. They are in
$etc/dns.zone too. In a form with fields: first the name, after IN the type, then the value, without
quotes; where a value has two parts in quotes, join them without a space.

END
  cat "$etc/dns.zone"
  if [ -n "$(report_record)" ]; then
    cat <<END

Reports about mail in your name go to $operator. They come only once this record is there, where DNS
for ${operator#*@} is kept. If you cannot publish it, end the record _dmarc.$domain before "; rua=":

$(report_record)
END
  fi
  cat <<END

Ask whoever gave you this machine to set its reverse DNS (PTR) too, mostly in their control panel:
END
  printf "%s  is  $domain\n" "${addresses[@]:-ADDRESS-OF-THIS-MACHINE}"
  cat <<END

DNS may need an hour. Then run the same command again: it gets the certificate, and checks once more.
To check only:  pbem check
END
}
