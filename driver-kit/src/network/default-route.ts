/** The interface with the default route: where the home network is, when nobody has said so. */
import { readFileSync } from "node:fs";

/** Where Linux lists the routes of IPv4. */
const ROUTES = "/proc/net/route";
const IS_UP = 1;

/** Its name; undefined when there is no such route, or no way to know. */
export function defaultRouteInterface(): string | undefined {
  try {
    return nameOfDefaultRoute(readFileSync(ROUTES, "utf8"));
  } catch {
    // No Linux, or a container that hides it: then the settings must name one.
    return undefined;
  }
}

/** @param routes as in `/proc/net/route`: the one of the lowest metric counts */
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
