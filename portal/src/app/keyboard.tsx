/** Listens to the keys that lead to pages. */
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { addressFor, type Scope } from "./scope.ts";
import { meaningOf } from "./shortcuts.ts";

const KeyboardHelp = lazy(() => import("./keyboard-help.tsx"));

export function Keyboard({ scope }: { readonly scope: Scope }) {
  const router = useRouter();
  const begunAt = useRef<number>(undefined);
  const [isHelp, setHelp] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, altKey, metaKey, timeStamp } = event;
    const pressed = { key, isModified: ctrlKey || altKey || metaKey, isTaken: isTaken(event.target), at: timeStamp };
    const meaning = meaningOf(pressed, begunAt.current);
    begunAt.current = meaning.kind === "begun" ? meaning.at : undefined;
    if (meaning.kind === "help") setHelp(true);
    if (meaning.kind !== "page") return;
    const to = addressFor(meaning.page.to, scope);
    if (to === undefined) return;
    event.preventDefault();
    void router.navigate({ to });
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    isHelp && (
      <Suspense>
        <KeyboardHelp onClose={() => setHelp(false)} />
      </Suspense>
    )
  );
}

/** Where something is typed or chosen by keys, and while a dialog is open, keys have a meaning of their own. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=slider], [role=tree], [role=listbox]") !== null
  );
}
