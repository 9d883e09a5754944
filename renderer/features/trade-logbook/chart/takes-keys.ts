/** What takes every key: text fields, open lists, and dialogs. */
const typing = 'input:not([type=range]), textarea, select, [role=listbox], [role=combobox][aria-expanded=true], [role=dialog]'
/** The keys that a slider, a closed list, and a button take; digits search a list. */
const ownKeys: readonly (readonly [selector: string, keys: ReadonlySet<string>])[] = [
  ['input[type=range]', new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'])],
  ['[role=combobox]', new Set(['ArrowUp', 'ArrowDown', 'Enter', ' ', ...'0123456789'])],
  ['button, a, summary', new Set(['Enter', ' '])],
]

/** Whether the focused element takes every key. */
export const isTyping = (target: Element): boolean => target.closest(typing) !== null

/** Whether the focused element takes this key, so that the chart must not. */
export const takesKey = (target: Element, key: string): boolean => isTyping(target) || ownKeys.some(([selector, keys]) => keys.has(key) && target.closest(selector) !== null)
