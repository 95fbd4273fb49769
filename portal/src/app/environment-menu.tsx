/** The menu of environments: search by name, and a form for a new one. It is its own file to load on first use. */
import { Combobox, useCombobox } from "@mantine/core";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../kit/display/icon.tsx";
import { NameText } from "../kit/text/name.tsx";
import { cut, nameOf, shortNameOf } from "../kit/text/names.ts";
import classes from "./environment-switch.module.css";
import { SwitchButton } from "./environment-switch-button.tsx";
import { inEnvironment, type Scope, switchable } from "./scope.ts";

/** Maximum number of environments in the list; typing finds the others. */
const MOST = 50;
/** From this number of environments on there is a search field. */
const MANY = 6;
const NewEnvironmentDialog = lazy(() => import("../pages/places/new-environment-dialog.tsx"));

/** Opens on mount, because it replaces the button that was pressed to load it. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useEffect(() => {
    combobox.focusTarget();
    combobox.openDropdown();
  }, []);
  const { groups, rest } = switchable(scope, text, MOST);
  // If the menu opens while environments still load, the list grows and the selected option moves.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the combobox only its content changes
  useEffect(() => combobox.updateSelectedOptionIndex("selected"), [environments]);
  const submit = (value: string) => {
    combobox.closeDropdown();
    if (value === "new") setMaking(true);
    else void navigate({ to: value.startsWith("/") ? value : inEnvironment(path, value) });
  };
  return (
    <>
      <Combobox
        store={combobox}
        onOptionSubmit={submit}
        width={288}
        position="bottom-start"
        portalProps={{ target: "#main" }}
      >
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
