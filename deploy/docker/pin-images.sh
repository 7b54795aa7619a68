#!/bin/sh
# Prints each image of compose.yaml and the Dockerfile with the digest that its tag has today, as lines for .env:
#   sh deploy/docker/pin-images.sh > pins && cat pins >> deploy/docker/.env
# An image that is named by its digest stays the same until you run this again: do so for each security release.
set -eu
cd "$(dirname "$0")"
sed -n 's/.*\${\([A-Z]*_IMAGE\):-\([^}]*\)}.*/\1 \2/p' compose.yaml | sort -u | while read -r name image; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  case $digest in
    sha256:*) echo "$name=$image@$digest" ;;
    *) echo "no digest for $image: $digest" >&2; exit 1 ;;
  esac
done
