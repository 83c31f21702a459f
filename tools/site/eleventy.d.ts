/** The types of the package that this folder uses; it has none itself. @module */
declare module '@11ty/eleventy' {
  export type EleventySettings = {
    addTemplate(
      path: string,
      text: string,
      data: { readonly permalink: string; readonly templateEngineOverride: 'md' },
    ): void
    setTemplateFormats(formats: readonly string[]): void
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        readonly quietMode: boolean
        readonly configPath: false
        readonly config: (settings: EleventySettings) => void
      },
    )
    toJSON(): Promise<readonly { readonly outputPath: string; readonly content: string }[]>
  }
}
