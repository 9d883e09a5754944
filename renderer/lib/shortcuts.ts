/** Every shortcut of the product: `+` joins keys pressed together, spaces separate keys pressed in sequence. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
export const shortcuts = {
  palette: 'Mod+K',
  shortcuts: '?',
  sync: 'S',
  'add-trade': 'N',
  filter: '/',
  rows: 'J',
  'go-overview': 'G O',
  'go-trade-logbook': 'G L',
  'go-reconciliation': 'G R',
  'go-operational': 'G E',
  'go-ai-report': 'G I',
  'go-auto-sync': 'G A',
  'go-trade-copier': 'G C',
  'go-position-scanner': 'G P',
  'go-import': 'G F',
  'go-plans': 'G M',
  'go-settings': 'G S',
  'flatten-all': 'Shift+F',
} as const

/** The name of a shortcut. */
export type ShortcutId = keyof typeof shortcuts

/** The used fields of a key press. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'>

/** Whether a shortcut consists of characters only, so that it could be pressed by mistake while typing or dictating. */
export const isSingle = (id: ShortcutId): boolean => !shortcuts[id].includes('Mod')

/** The name of a pressed key: a letter by its position if the keyboard is not Latin. */
const nameOf = ({ key, code }: Pick<Pressed, 'key' | 'code'>): string => {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const foreign = key.length > 0 && key.charCodeAt(0) > 127
  return (foreign ? /^Key([A-Z])$/.exec(code)?.[1] : undefined) ?? key
}

/** The pressed keys as in the table; null for what no shortcut uses: another modifier, a repeated key, or text composition. */
export const chordOf = (pressed: Pressed, mac: boolean): string | null => {
  const { ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = pressed
  const [mod, other] = mac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (other || altKey || repeat || isComposing) return null
  const name = nameOf(pressed)
  // Shift is part of a symbol typed with it.
  const shift = shiftKey && /^[A-Z]$/.test(name)
  return [...(mod ? ['Mod'] : []), ...(shift ? ['Shift'] : []), name].join('+')
}

const ids = Object.keys(shortcuts) as ShortcutId[]

/** The meaning of a chord after the previous one, null if none is pending: a shortcut, the beginning of one, or nothing. */
export const meaningOf = (chord: string, before: string | null): ShortcutId | 'begins' | null => {
  const typed = before === null ? chord : `${before} ${chord}`
  return ids.find((id) => shortcuts[id] === typed) ?? (ids.some((id) => shortcuts[id].startsWith(`${typed} `)) ? 'begins' : null)
}

/** The keys of a shortcut as labeled on the keyboard, in the order to press them. */
export const capsOf = (keys: string, mac: boolean): readonly string[] => keys.split(/[+ ]/).map((key) => (key === 'Mod' ? (mac ? '⌘' : 'Ctrl') : key))

/** A shortcut for `aria-keyshortcuts`; undefined if it cannot be expressed, like keys in sequence. */
export const ariaKeysOf = (id: ShortcutId, mac: boolean): string | undefined => {
  const keys = shortcuts[id]
  return keys.includes(' ') ? undefined : keys.replace('Mod', mac ? 'Meta' : 'Control')
}
