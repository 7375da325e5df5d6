// The drawn face of a player.

import { region, sprite } from "../../lib/dom.js";

/** @param {{face: string}} player */
export const faceOfPlayer = ({ face }) => sprite(`${region("table").dataset.faces}#${face}`, "face");
