/** The direct items of a zone, in order: open, remove, and add them. */
import { Anchor, Button, Group, Select } from "@mantine/core";
import type { Zone } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Empty } from "../../kit/display/query-view.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { type Column, DataTable } from "../../kit/display/table.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { type Forest, itemsOf, nameIn } from "./forest.ts";
import { useItems } from "./use-items.ts";

export function ZoneItems({ zone, forest }: { readonly zone: Zone; readonly forest: Forest }) {
  const { id: zoneId, environmentId } = zone;
  const items = useItems(environmentId);
  const shown = itemsOf(forest, zoneId);
  const take = (item: string) =>
    items.mutate({ changes: [{ kind: "take", zoneId, item }], done: `${nameIn(forest, item)} removed from the zone.` });
  const columns: Column<string>[] = [
    {
      name: "Name",
      cell: (id) => (
        <>
          <Anchor renderRoot={(props) => <Link to={addressOf(environmentId, forest, id)} {...props} />}>
            <NameText text={nameIn(forest, id)} />
          </Anchor>
          {forest.zones.has(id) && " (zone)"}
        </>
      ),
    },
    { name: "State", cell: (id) => <State forest={forest} id={id} /> },
    {
      name: "Action",
      cell: (id) => (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => take(id)}
          aria-label={`Remove ${nameIn(forest, id)} from the zone`}
        >
          Remove
        </Button>
      ),
    },
  ];
  return (
    <>
      {shown.length === 0 ? (
        <Empty title="Empty zone">Add devices and other zones to it.</Empty>
      ) : (
        <DataTable
          label="contents of the zone"
          rows={shown}
          columns={columns}
          idOf={(id) => id}
          textOf={(id) => `${nameIn(forest, id)} ${id}`}
        />
      )}
      <PutIn
        forest={forest}
        zoneId={zoneId}
        onPut={(item) =>
          items.mutate({ changes: [{ kind: "put", zoneId, item }], done: `${nameIn(forest, item)} added to the zone.` })
        }
      />
      {items.error && <Failure error={items.error} putAway={() => items.reset()} />}
    </>
  );
}

function State({ forest, id }: { readonly forest: Forest; readonly id: string }) {
  const connection = forest.devices.get(id)?.connection;
  if (connection) return <OnlineState connection={connection} />;
  return forest.zones.has(id) ? counted(itemsOf(forest, id).length, "item") : "virtual";
}

interface PutInProps {
  readonly forest: Forest;
  readonly zoneId: string;
  readonly onPut: (item: string) => void;
}

function PutIn({ forest, zoneId, onPut }: PutInProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const data = useMemo(() => {
    const inside = new Set(forest.zones.get(zoneId)?.items);
    const options = (ids: Iterable<string>) =>
      [...ids].filter((id) => id !== zoneId && !inside.has(id)).map((id) => ({ value: id, label: nameIn(forest, id) }));
    return [
      { group: "Devices", items: options(forest.devices.keys()) },
      { group: "Zones", items: options(forest.zones.keys()) },
    ];
  }, [forest, zoneId]);
  const put = () => {
    if (chosen !== null) onPut(chosen);
    setChosen(null);
  };
  return (
    <Group gap="sm" align="flex-end">
      <Select
        size="xs"
        label="Add to this zone"
        placeholder="Device or zone"
        data={data}
        value={chosen}
        onChange={setChosen}
        searchable
        limit={50}
        nothingFoundMessage="No results"
      />
      <Button size="xs" variant="default" disabled={chosen === null} onClick={put}>
        Add
      </Button>
    </Group>
  );
}

function addressOf(environmentId: string, forest: Forest, id: string): string {
  return `/environments/${environmentId}/${forest.zones.has(id) ? "zones" : "devices"}/${id}`;
}
