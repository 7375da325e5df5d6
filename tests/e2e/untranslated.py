"""Search for texts that a page in an Indian language still shows in English."""

import re

from playwright.sync_api import Page

# Returns the texts and labels written only in Latin letters, except in parts marked as English.
ENGLISH = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script, style, noscript, code, kbd, [lang=en]")) texts.push(node.data);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!element.closest("[lang=en]")) texts.push(element.getAttribute(name));
    }
  }
  for (const { value } of document.querySelectorAll("input[type=submit]")) texts.push(value);
  texts.push(document.querySelector('meta[name="description"]')?.content ?? "");
  // The title of a document is in the document's language.
  if (!document.querySelector("article[lang=en]")) texts.push(document.title);
  return [...new Set(texts.map((text) => text.replace(/\\s+/g, " ").trim()))];
}"""
ENGLISH_WORDS = re.compile(
    "[A-Za-z]{2,} [A-Za-z]{2,}|^[^\u0900-\u0d7f]*[A-Za-z]{3}[^\u0900-\u0d7f]*$"
)
# Texts that are the same in every language: names given by people, and names in the tests' world.
NAMES = re.compile(
    r"Junglee Rummy|Total Rummy|RummyCircle|"
    r"Mango Grove|Banyan Court|Monsoon Cup|Neem Club|For patience\.|Nila Rao|OpenRummy|"
    r"Nila|Ravi|Meera|Leela|Boss|Card Coach|Board|Standard Webhooks|WhatsApp|https?://\S+|"
    r"\S+@\S+|\w+ \(bot\)|JKR|JSON|UPI|Phone|Statistics|[A-Z2-7]{16,}"
)


def find_untranslated(page: Page) -> list[str]:
    texts = page.evaluate(ENGLISH)
    return [
        f"not translated: {text}" for text in texts if ENGLISH_WORDS.search(NAMES.sub("", text))
    ]
