/** Opens the search: by its button, by Ctrl-K anywhere, and by "/" outside input fields. */
import { Kbd, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../kit/display/icon.tsx";
import type { Entry } from "./palette-entries.ts";
import type { Scope } from "./scope.ts";
import classes from "./search.module.css";

const Palette = lazy(() => import("./palette.tsx"));

interface SearchProps {
  readonly scope: Scope;
  readonly pages: readonly Entry[];
}

export function Search(props: SearchProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useHotkeys([["mod+K", open]], []);
  useHotkeys([["/", open]]);
  return (
    <>
      <UnstyledButton
        className={classes.search}
        onClick={open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K /"
        aria-label="Search"
      >
        <Icon name="search" size={16} />
        <span className={classes.word}>Search</span>
        <Kbd size="xs">/</Kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <Palette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
