/** Network namespaces, in which tests have hosts of their own: how they are named, found again and removed. Its own file because several kinds of network are made of them. Needs root. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** What the command `ip` answers. @throws Error with its output */
export function ip(words: string, ...options: readonly string[]): string {
  return execFileSync("ip", [...options, ...words.split(" ")], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** What namespaces and cables of this process are called. @param mark one for each kind of network; a name of a cable has at most 15 characters */
export function networkName(mark: string): string {
  return `${mark}${process.pid}`;
}

/** Namespaces of tests that were killed: their cables have the same addresses. @param mark as of {@link networkName} */
export function removeOrphans(mark: string): void {
  for (const [, namespace = "", cable = "", pid] of ip("netns list").matchAll(
    new RegExp(`^((${mark}(\\d+))\\w*)`, "gm"),
  ))
    if (!existsSync(`/proc/${pid}`)) removeNamespace(namespace, cable);
}

/**
 * The cable first: a namespace lives as long as a dead connection in it is tried, minutes after it was deleted, and until then its
 * cable would keep the addresses that the next host is given.
 */
export function removeNamespace(namespace: string, cable = namespace): void {
  if (existsSync(`/sys/class/net/${cable}`)) ip(`link delete ${cable}`);
  ip(`netns delete ${namespace}`);
}
