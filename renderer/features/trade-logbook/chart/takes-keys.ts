/** Text fields, lists that are open, and dialogs: what is typed there is theirs. */
const typing = 'input:not([type=range]), textarea, select, [role=listbox], [role=combobox][aria-expanded=true], [role=dialog]'
/** What a slider, a closed list, and a button do by themselves; a list is searched by its digits. */
const own: readonly (readonly [selector: string, keys: ReadonlySet<string>])[] = [
  ['input[type=range]', new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'])],
  ['[role=combobox]', new Set(['ArrowUp', 'ArrowDown', 'Enter', ' ', ...'0123456789'])],
  ['button, a, summary', new Set(['Enter', ' '])],
]

/** Whether the user types in what has the focus, so that keys of the chart mean nothing there. */
export const isTyping = (target: Element): boolean => target.closest(typing) !== null

/** Whether a key belongs to what has the focus, not to the chart. */
export const takesKey = (target: Element, key: string): boolean => isTyping(target) || own.some(([selector, keys]) => keys.has(key) && target.closest(selector) !== null)
