import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A lazily loaded part of the page: by which function, for which of the router's paths, with which locale namespaces; `file` and `from` are paths below the project's root. */
export type PagePart = { readonly by: 'screen' | 'fetchPart' | 'fetched'; readonly path: string | null; readonly sentences: readonly string[]; readonly file: string; readonly from: string }

const parse = (path: string, text: string): ts.SourceFile => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)

/** The target of an import in the page, as a path below the project's root; null for packages and styles. */
const ledTo = (from: string, specifier: string): string | null => {
  const path = specifier.startsWith('#renderer/') ? specifier.slice(1) : specifier.startsWith('.') ? relative(root, join(root, dirname(from), specifier)) : null
  return path !== null && /\.tsx?$/.test(path) && existsSync(join(root, path)) ? path : null
}

const importsWithin = (node: ts.Node): string[] => {
  const found: string[] = []
  const visit = (inner: ts.Node): void => {
    const [asked] = ts.isCallExpression(inner) && inner.expression.kind === ts.SyntaxKind.ImportKeyword ? inner.arguments : []
    if (asked && ts.isStringLiteralLike(asked)) found.push(asked.text)
    ts.forEachChild(inner, visit)
  }
  visit(node)
  return found
}

/** The parts that one file loads lazily with their namespaces, and the files that it imports in any other way. */
export const partsOf = (path: string, text: string): { readonly parts: readonly PagePart[]; readonly imports: readonly string[] } => {
  const parts: PagePart[] = []
  const imports: string[] = []
  const follow = (specifier: string): void => {
    const file = ledTo(path, specifier)
    if (file !== null) imports.push(file)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly && ts.isStringLiteral(node.moduleSpecifier)) follow(node.moduleSpecifier.text)
    if (ts.isCallExpression(node)) {
      const by = node.expression.getText()
      const named = node.arguments.find(ts.isArrayLiteralExpression)
      const [first] = node.arguments
      if ((by === 'screen' || by === 'fetchPart' || by === 'fetched') && named) {
        const sentences = named.elements.filter(ts.isStringLiteralLike).map(({ text: name }) => name)
        const place = by === 'screen' && first ? first.getText().replace('paths.', '') : null
        for (const specifier of importsWithin(node)) {
          const file = ledTo(path, specifier)
          if (file !== null) parts.push({ by, path: place, sentences, file, from: path })
        }
        return
      }
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) for (const specifier of importsWithin(node)) follow(specifier)
    }
    ts.forEachChild(node, visit)
  }
  visit(parse(path, text))
  return { parts, imports }
}

/** Every file of the page below the project's root, with its lazy parts and its imports. */
export const readPage = (): ReadonlyMap<string, ReturnType<typeof partsOf>> =>
  new Map(
    globSync('renderer/{app,features,i18n,lib,ui}/**/*.{ts,tsx}', { cwd: root })
      .filter((path) => !/\.test\.tsx?$/.test(path))
      .map((path) => [path, partsOf(path, readFileSync(join(root, path), 'utf8'))]),
  )
