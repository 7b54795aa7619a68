#!/bin/sh
# Makes deploy/docker/certificates: an authority, and the certificate by which the database proves that it is `database`.
# Another folder and name: sh certificates.sh <folder> <name of the database server>.
# Run it again to renew the certificate, which is valid for 825 days; the authority stays, and is valid for ten years.
# Afterwards: docker compose -f deploy/docker/compose.yaml up -d --force-recreate database
set -eu
umask 077
folder=${1:-$(dirname "$0")/certificates}
name=${2:-database}
mkdir -p "$folder"
cd "$folder"

key() {
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

if [ ! -e ca.key ]; then
  key ca.key
  openssl req -x509 -new -key ca.key -days 3650 -subj "/CN=ledger database authority" -out ca.pem
fi
key server.key
openssl req -new -key server.key -subj "/CN=$name" -out server.csr
printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth\n' "$name" > server.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 825 -extfile server.ext -out server.pem
rm server.csr server.ext
# The service, another user, reads the authority. Keep ca.key elsewhere, such as where you keep the seal key.
chmod 755 .
chmod 644 ca.pem server.pem
