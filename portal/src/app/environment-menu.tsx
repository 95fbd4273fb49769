/** The way to another environment: found by name among many, with a new one to be made from here. Separate because it is loaded when it is first opened. */

import { Combobox, useCombobox } from "@mantine/core";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../kit/display/icon.tsx";
import { IN_MAIN } from "../kit/display/landmark.ts";
import { NameText } from "../kit/text/name.tsx";
import { cut, nameOf, shortNameOf } from "../kit/text/names.ts";
import classes from "./environment-switch.module.css";
import { SwitchButton } from "./environment-switch-button.tsx";
import { inEnvironment, type Scope, switchable } from "./scope.ts";

/** Environments shown at once: the others are found by typing. */
const MOST = 50;
/** From so many on there is something to search for. */
const MANY = 6;
const NewEnvironmentDialog = lazy(() => import("../pages/places/new-environment-dialog.tsx"));

/** Opens when it comes: it takes the place of the button that was pressed for it. */
export default function EnvironmentMenu({ scope }: { readonly scope: Scope }) {
  const { environments, environment, ecosystems, ecosystem } = scope;
  const [text, setText] = useState("");
  const [isMaking, setMaking] = useState(false);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isLarge = environments.length >= MANY;
  const combobox = useCombobox({
    onDropdownOpen: () => (isLarge ? combobox.focusSearchInput() : combobox.selectActiveOption()),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setText("");
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useEffect(() => {
    combobox.focusTarget();
    combobox.openDropdown();
  }, []);
  const { groups, rest } = switchable(scope, text, MOST);
  // Opened while environments are still coming in, the list grows under the option that is selected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the box only what it holds changes
  useEffect(() => combobox.updateSelectedOptionIndex("selected"), [environments]);
  const submit = (value: string) => {
    combobox.closeDropdown();
    if (value === "new") setMaking(true);
    else void navigate({ to: value.startsWith("/") ? value : inEnvironment(path, value) });
  };
  return (
    <>
      <Combobox store={combobox} onOptionSubmit={submit} width={288} position="bottom-start" portalProps={IN_MAIN}>
        <Combobox.Target targetType="button" withAriaAttributes>
          <SwitchButton environment={environment} onClick={() => combobox.toggleDropdown()} />
        </Combobox.Target>
        <Combobox.Dropdown>
          {isLarge && (
            <Combobox.Search
              aria-label="Find an environment"
              placeholder="Find an environment"
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
                combobox.resetSelectedOption();
              }}
            />
          )}
          <Combobox.Options className={classes.options} aria-label="Environments">
            {groups.map(({ ecosystem: group, items }) => (
              <Combobox.Group key={group.id} label={ecosystems.length > 1 ? cut(nameOf(group), 60) : undefined}>
                {items.map((each) => (
                  <Combobox.Option key={each.id} value={each.id} active={each.id === environment?.id}>
                    <NameText text={shortNameOf(each)} />
                    {each.id === environment?.id && <Icon name="check" size={14} />}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {groups.length === 0 && <Combobox.Empty>No results</Combobox.Empty>}
            {rest > 0 && <Combobox.Empty>{rest.toLocaleString("en")} more. Type to find them.</Combobox.Empty>}
            <Combobox.Group label="More">
              {environment && (
                <Combobox.Option value={`/environments/${environment.id}`}>Environment settings</Combobox.Option>
              )}
              <Combobox.Option value="/places">All environments</Combobox.Option>
              <Combobox.Option value="new">Create environment…</Combobox.Option>
            </Combobox.Group>
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {isMaking && (
        <Suspense>
          <NewEnvironmentDialog
            ecosystems={ecosystems}
            ecosystemId={ecosystem?.id ?? ""}
            onMade={({ id }) => void navigate({ to: inEnvironment("", id) })}
            onClose={() => setMaking(false)}
          />
        </Suspense>
      )}
    </>
  );
}
