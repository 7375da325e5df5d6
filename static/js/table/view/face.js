// A player's drawn face.

import { region, sprite } from "../../lib/dom.js";

/** @param {{face: string}} player */
export const faceOfPlayer = ({ face }) => sprite(`${region("table").dataset.faces}#${face}`, "face");
