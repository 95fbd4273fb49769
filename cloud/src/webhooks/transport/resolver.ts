/**
 * Names of receivers to addresses. Asked of the name servers directly: the system's own look-up shares its few threads with
 * everything else that the process does, and a name that never answers would hold them.
 */
import { promises as dns } from "node:dns";

/** @throws Error when the name cannot be resolved */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** For each question to a name server, ms. */
const TIMEOUT = 4_000;

/** Resolves by DNS; `localhost` is this machine (RFC 6761). The file of hosts is not read. */
export function dnsResolve(): Resolve {
  return async (name, signal) => {
    if (/^(?:.+\.)?localhost\.?$/i.test(name)) return ["127.0.0.1", "::1"];
    // One for each question: a resolver that is cancelled forgets all that it was asked.
    const resolver = new dns.Resolver({ timeout: TIMEOUT, tries: 2 });
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (addresses.length === 0) throw new Error(`${name} has no address`);
      return addresses;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}
