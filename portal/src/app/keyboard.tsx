/** Listens to the keys that lead to pages, and shows which there are. */
import { Kbd, Modal, Table } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { addressFor, type Scope } from "./scope.ts";
import { meaningOf, PAGE_KEYS } from "./shortcuts.ts";

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
    <Modal opened={isHelp} onClose={() => setHelp(false)} title="Keyboard" closeButtonProps={{ "aria-label": "Close" }}>
      <Table>
        <Table.Tbody>
          <Row keys={["/"]} label="Search" />
          {PAGE_KEYS.map(({ key, label }) => (
            <Row key={key} keys={["g", key]} label={label} />
          ))}
          <Row keys={["?"]} label="This list" />
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Row({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <Table.Tr>
      <Table.Td>{label}</Table.Td>
      <Table.Td>
        {keys.map((key) => (
          <span key={key}>
            <Kbd size="sm">{key}</Kbd>{" "}
          </span>
        ))}
      </Table.Td>
    </Table.Tr>
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
