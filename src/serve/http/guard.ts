import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { WireError } from "../wire-error.ts";

/** Whom the server answers. */
export interface GuardOptions {
  /** The address that the server is bound to. */
  readonly host: string;
  /** The bearer token that requests must carry; null for none. */
  readonly token: string | null;
}

/** Paths that need no token: they say that the server runs, and nothing else. */
const OPEN_PATHS = ["/", "/health"];

/** Whether a host name or address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isIP(bare) === 4) return bare.startsWith("127.");
  return bare === "localhost" || bare === "::1" || bare === "::ffff:127.0.0.1";
}

/**
 * Makes the check of every request, WebSocket handshakes included.
 *
 * A web page that somebody on this machine has opened can send requests here: under its own
 * origin, which then stands in `Origin`, or after its host name was rebound to this address, and
 * then that name stands in `Host`. Neither may have an answer. On other addresses `Host` can be any
 * of the machine's names; there the token keeps strangers out.
 */
export function makeGuard({ host, token }: GuardOptions) {
  const expected = token === null ? null : digest(token);
  return (headers: IncomingHttpHeaders, path: string): WireError | null => {
    const named = headers.host ?? "";
    if (isLoopback(host) && !isLoopback(hostName(named))) {
      return {
        code: "forbidden",
        message: "the Host header must name this machine: localhost, 127.0.0.1 or [::1]",
      };
    }
    if (headers.origin !== undefined && !isSameOrigin(headers.origin, named)) {
      return { code: "forbidden", message: "requests from web pages of other origins are refused" };
    }
    if (expected === null || OPEN_PATHS.includes(path)) return null;
    const [, given] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return null;
    return { code: "unauthorized", message: "send the header Authorization: Bearer TOKEN" };
  };
}

/** Digests have one length, so comparing them tells nothing about the token's. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** `Host` without its port. */
function hostName(header: string): string {
  return header.replace(/:[0-9]+$/, "");
}

function isSameOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase();
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase());
}
