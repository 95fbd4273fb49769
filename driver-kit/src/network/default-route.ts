/** Finds the interface with the default route: the home network's, unless the settings name another. */
import { readFileSync } from "node:fs";

/** File in which Linux lists the IPv4 routes. */
const ROUTES = "/proc/net/route";
const IS_UP = 1;

/** Name of the interface; undefined when there is no such route, or the system does not show it. */
export function defaultRouteInterface(): string | undefined {
  try {
    return nameOfDefaultRoute(readFileSync(ROUTES, "utf8"));
  } catch {
    // Not Linux, or a container that hides the file: then the settings must name an interface.
    return undefined;
  }
}

/** @param routes as in `/proc/net/route`: the route with the lowest metric counts */
export function nameOfDefaultRoute(routes: string): string | undefined {
  const [heading = "", ...lines] = routes.split("\n").filter((line) => line.trim() !== "");
  const columns = heading.trim().split(/\s+/);
  const all = lines.map((line) => {
    const fields = line.trim().split(/\s+/);
    const field = (name: string) => fields[columns.indexOf(name)] ?? "";
    const isDefault = /^0{8}$/.test(field("Destination")) && /^0{8}$/.test(field("Mask"));
    const isUp = (Number.parseInt(field("Flags"), 16) & IS_UP) !== 0;
    return { name: field("Iface"), metric: Number(field("Metric")), isUsed: isDefault && isUp };
  });
  const [first] = all.filter(({ isUsed }) => isUsed).sort((a, b) => a.metric - b.metric);
  return first?.name;
}
