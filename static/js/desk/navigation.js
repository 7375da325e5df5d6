// The script of every page of the administration. A search in the sidebar shows matches of every group.

import { sendOnce } from "../lib/once.js";

const filter = document.querySelector("#nav-filter");
if (filter instanceof HTMLInputElement) {
  const groups = [...document.querySelectorAll("#nav-sidebar details")].filter(
    (group) => group instanceof HTMLDetailsElement,
  );
  const usual = groups.map((group) => group.open);
  const follow = () => {
    groups.forEach((group, number) => {
      group.open = filter.value !== "" || Boolean(usual[number]);
    });
  };
  filter.addEventListener("input", follow);
  if (filter.value !== "") follow();
}
document.querySelector("#nav-sidebar .current-model")?.scrollIntoView({ block: "nearest" });
sendOnce();
