/** The search dialog for everything that has a page: type, select with the arrow keys, open with Enter. */
import { Combobox, Modal, Text, TextInput, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { clientsQuery, devicesQuery, scenesQuery, zonesQuery } from "../data/queries.ts";
import { Icon } from "../kit/display/icon.tsx";
import { documentIndexQuery } from "../kit/text/documents.ts";
import { NameText } from "../kit/text/name.tsx";
import { type Named, nameOf, titleOf } from "../kit/text/names.ts";
import { useApi } from "../session/context.tsx";
import classes from "./palette.module.css";
import { addressOf, type Entry, found, idOf } from "./palette-entries.ts";
import type { Scope } from "./scope.ts";

interface PaletteProps {
  readonly scope: Scope;
  readonly pages: readonly Entry[];
  readonly onClose: () => void;
}

/** Maximum number of visible entries. */
const MOST = 30;

export default function Palette({ scope, pages, onClose }: PaletteProps) {
  const [text, setText] = useState("");
  const entries = useEntries(scope, pages);
  const byId = useById(text);
  // Not deferred: Enter must open the match of the typed text, however fast the user types.
  const shown = useMemo(() => {
    const known = found(entries, text, MOST);
    return byId && !known.some(({ id }) => id === byId.id) ? [byId, ...known] : known;
  }, [entries, text, byId]);
  const router = useRouter();
  const combobox = useCombobox({ opened: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed entries reset the selection to the first one
  useEffect(() => {
    combobox.selectFirstOption();
  }, [shown]);
  const go = (to: string) => {
    onClose();
    // Navigate by `href`, because the address of a document can include an anchor.
    void router.navigate({ href: to });
  };
  return (
    <Modal.Root opened onClose={onClose} yOffset="10vh" size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Modal.Body p="xs">
          <Combobox store={combobox} onOptionSubmit={go} withinPortal={false}>
            <Combobox.EventsTarget>
              <TextInput
                data-autofocus
                aria-label="Search the portal"
                placeholder="Search pages, actions, devices, zones, scenes, hubs and documents"
                leftSection={<Icon name="search" size={16} />}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            </Combobox.EventsTarget>
            <Combobox.Options className={classes.options} aria-label="Search results">
              {shown.map((entry) => (
                <Combobox.Option key={entry.to} value={entry.to} className={classes.option}>
                  <Icon name={entry.icon} size={16} />
                  <span className={classes.name}>
                    <NameText text={entry.name} />
                  </span>
                  <Text size="xs" c="dimmed" component="span">
                    <NameText text={entry.about} />
                  </Text>
                </Combobox.Option>
              ))}
            </Combobox.Options>
            <Text size="sm" c="dimmed" px="sm" py="xs" role="status">
              {shown.length === 0 && "No results. To find something in another environment, enter its ID."}
            </Text>
          </Combobox>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Pages first, then the objects of the current environment, then all places, then the documentation. */
function useEntries({ environment, environments, ecosystems }: Scope, pages: readonly Entry[]): readonly Entry[] {
  const api = useApi();
  const asked = { enabled: environment !== undefined };
  const id = environment?.id ?? "";
  const devices = useQuery({ ...devicesQuery(api, id), ...asked }).data;
  const zones = useQuery({ ...zonesQuery(api, id), ...asked }).data;
  const hubs = useQuery({ ...clientsQuery(api, id), ...asked }).data;
  const scenes = useQuery({ ...scenesQuery(api, id), ...asked }).data;
  const documents = useQuery(documentIndexQuery).data?.entries;
  return useMemo(() => {
    const where = environment ? ` in ${titleOf(environment, "environment")}` : "";
    const inside = (
      kind: "dev" | "zon" | "cli" | "scn",
      icon: Entry["icon"],
      what: string,
      all: readonly Named[] = [],
    ) =>
      all.map((each) => ({
        icon,
        name: nameOf(each),
        about: `${what}${where}`,
        id: each.id,
        to: addressOf(kind, id, each.id),
      }));
    const place = (path: string, about: string) => (each: Named) =>
      ({ icon: "place", name: nameOf(each), about, id: each.id, to: `/${path}/${each.id}` }) as const;
    return [
      ...pages,
      ...inside("zon", "zone", "zone", zones),
      ...inside("dev", "device", "device", devices),
      ...inside("scn", "scene", "scene", scenes),
      ...inside("cli", "hub", "hub", hubs),
      ...environments.map(place("environments", "environment")),
      ...ecosystems.map(place("ecosystems", "ecosystem")),
      ...(documents ?? []).map((each) => ({ icon: "docs", ...each }) as const),
    ];
  }, [pages, environment, environments, ecosystems, devices, zones, hubs, scenes, documents, id]);
}

/** The object of a pasted ID, in any environment. */
function useById(text: string): Entry | undefined {
  const api = useApi();
  const asked = idOf(text);
  const { data } = useQuery({
    queryKey: ["by-id", asked?.id],
    queryFn: async ({ signal }): Promise<Entry | undefined> => {
      if (!asked) return undefined;
      const { kind, id } = asked;
      const source = { dev: api.devices, zon: api.zones, cli: api.clients, scn: api.scenes }[kind];
      const thing = await source.get(id, { signal });
      const to = addressOf(kind, thing.environmentId, id);
      return { icon: ICONS[kind], name: nameOf(thing), about: `in ${thing.environmentId}`, id, to };
    },
    enabled: asked !== undefined,
    retry: false,
  });
  return data;
}

const ICONS = { dev: "device", zon: "zone", cli: "hub", scn: "scene" } as const;
