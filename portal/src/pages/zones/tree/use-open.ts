/** Which rows of an environment's tree are open: kept for the tab, so that they still are when somebody comes back from a device. */
import { useState } from "react";
import { type Forest, openAtFirst } from "./forest.ts";

/** Rows that are remembered. */
const MOST = 500;

export interface OpenRows {
  readonly open: ReadonlySet<string>;
  readonly toggle: (key: string, isOpen?: boolean) => void;
}

export function useOpen(environmentId: string, forest: Forest): OpenRows {
  const name = `porchlight-open-zones-${environmentId}`;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(read(name) ?? openAtFirst(forest)));
  const toggle = (key: string, isOpen = !open.has(key)) => {
    const next = new Set(open);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpen(next);
    sessionStorage.setItem(name, JSON.stringify([...next].slice(-MOST)));
  };
  return { open, toggle };
}

function read(name: string): readonly string[] | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? "null");
  return Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : undefined;
}
