import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const renderer = fileURLToPath(new URL('..', import.meta.url))
const fields = new Set(['Input', 'Textarea', 'input', 'textarea'])

type Found = { readonly file: string; readonly name: string; readonly attributes: ReadonlyMap<string, string> }

/** Every text field in the source of one file, with its attributes as they are written. */
const fieldsIn = (file: string, source: string): Found[] => {
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) && fields.has(node.tagName.getText())) {
      const attributes = node.attributes.properties.filter(ts.isJsxAttribute).map((one) => [one.name.getText(), one.initializer?.getText() ?? ''] as const)
      found.push({ file, name: node.tagName.getText(), attributes: new Map(attributes) })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

const sources = globSync('**/*.tsx', { cwd: renderer, exclude: (path) => path === 'dist' || path.endsWith('.test.tsx') }).toSorted()
const all = sources.flatMap((file) => fieldsIn(file, readFileSync(renderer + file, 'utf8'))).filter(({ file }) => file !== 'ui/field.tsx')

describe('spelling', () => {
  test('is checked in notes and headlines, and nowhere else', () => {
    expect(all.filter(({ attributes }) => attributes.has('prose')).map(({ file, name }) => `${file} ${name}`)).toEqual([
      'features/operational/entry-dialog.tsx Textarea',
      'features/trade-logbook/chart/drawing-bar.tsx Input',
      'features/trade-logbook/chart/replay-bar.tsx Input',
      'features/trade-logbook/picture-fields-form.tsx Input',
      'features/trade-logbook/trade-dialog-frame.tsx Textarea',
      'ui/day-note-dialog.tsx Textarea',
    ])
  })
  test('is decided by the primitives: other fields take no text, or say that it is not checked', () => {
    const bare = all.filter(({ name, attributes }) => name === name.toLowerCase() && !['"file"', '"radio"', '"range"'].includes(attributes.get('type') ?? ''))
    expect(bare.map(({ file, attributes }) => `${file} ${attributes.get('spellCheck') ?? 'unsaid'}`)).toEqual(['app/commands/command-palette.tsx {false}', 'ui/tags-input.tsx {false}'])
    expect(all.filter(({ name, attributes }) => name !== name.toLowerCase() && attributes.has('spellCheck'))).toEqual([])
    expect(all.length).toBeGreaterThan(25)
  })
  test('has no other way into the page', () => {
    expect(sources.filter((file) => /contentEditable|role="textbox"/.test(readFileSync(renderer + file, 'utf8')))).toEqual([])
  })
})

test('the scan sees fields and what is said of them', () => {
  const found = fieldsIn('page.tsx', 'const a = <p><Input {...x} prose maxLength={3} /><input type="file" /><Textarea>{b}</Textarea></p>')
  expect(found.map(({ name, attributes }) => [name, [...attributes.keys()]])).toEqual([['Input', ['prose', 'maxLength']], ['input', ['type']], ['Textarea', []]])
})
