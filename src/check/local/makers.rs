//! Knows programs that make pages of a tree by the files that mark it, and where they find the
//! target of a link if no file is at its path.
//!
//! From the manuals of the programs: MyST, "Cross-references"; `MkDocs`, "Writing your docs",
//! "Linking to pages"; `VitePress`, "Asset Handling" and "Routing"; Docusaurus, "Static Assets" and
//! "Markdown links"; Astro, "Project structure"; Hugo and Zola, "Directory structure"; Jekyll,
//! "Pages"; Quarto, "Websites"; Antora, "Resource IDs" and "Standard File and Directory Set";
//! GitLab, "Heading IDs and links".
//!
//! Books of `mdBook` and the pages of Sphinx, with the marks of their trees, are in `site.rs`. Not
//! read: settings, which may give other names to these directories.

use super::files::FileKind;
use super::path::{self, Start};
use super::sight::Sight;
use super::site;
use super::target::Target;
use super::{Document, Local, is_from_root, reach};
use crate::finding::{Class, Reach};
use crate::source::markup::Markup;
use crate::source::markup::anchors::Slugs;

/// A program that makes pages of a tree, or shows it.
pub(super) struct Maker {
    /// Names, one of which is in the topmost directory of its tree.
    marks: &'static [&'static str],
    /// Names, one of which is beside a mark that other programs use, too.
    beside: &'static [&'static str],
    /// Directories of the tree where links that begin with a slash start.
    roots: &'static [&'static str],
    /// Endings of the sources whose pages have no ending.
    endings: &'static [&'static str],
    /// The way in which links of documents are followed.
    links: Links,
    /// The names that it gives to headings.
    pub(super) slugs: Slugs,
}

/// The way in which a program follows the links of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    /// From the document.
    Document,
    /// From the document, or from its page `a/`, if `a.md` is the document.
    Page,
    /// From the document, or by the label of a place in any document.
    Labels,
    /// From the directory that a module has for files of a kind.
    Module,
}

const MKDOCS: Maker = Maker {
    marks: &["mkdocs.yml", "mkdocs.yaml"],
    beside: &[],
    roots: &["docs"],
    endings: &["md"],
    links: Links::Page,
    slugs: Slugs::MkDocs,
};

const SPHINX: Maker = Maker {
    marks: &[site::CONFIGURATION],
    beside: &site::FIRST,
    roots: &[""],
    endings: &site::ENDINGS,
    links: Links::Labels,
    slugs: Slugs::Usual,
};

const VITEPRESS: Maker = Maker {
    marks: &[".vitepress"],
    beside: &[],
    roots: &["public", ""],
    endings: &["md"],
    links: Links::Document,
    slugs: Slugs::VitePress,
};

/// Every program that is known here.
static MAKERS: [Maker; 12] = [
    MKDOCS,
    SPHINX,
    // Jupyter Book and mystmd.
    Maker { marks: &site::CONTENTS, beside: &[], ..SPHINX },
    VITEPRESS,
    // Docusaurus.
    Maker {
        marks: &["docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"],
        roots: &["static", ""],
        endings: &["md", "mdx"],
        slugs: Slugs::Usual,
        ..VITEPRESS
    },
    // Astro, also with Starlight.
    Maker {
        marks: &["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts"],
        roots: &["public", "src/content/docs", "src/pages"],
        endings: &["md", "mdx"],
        slugs: Slugs::Usual,
        ..MKDOCS
    },
    // Jekyll, which GitHub Pages runs.
    Maker {
        marks: &["_config.yml"],
        roots: &[""],
        endings: &["md", "markdown", "html"],
        slugs: Slugs::Usual,
        ..VITEPRESS
    },
    // Quarto.
    Maker {
        marks: &["_quarto.yml"],
        roots: &[""],
        endings: &["qmd", "md", "ipynb", "Rmd"],
        slugs: Slugs::Usual,
        ..VITEPRESS
    },
    HUGO,
    // Older settings of Hugo, and Zola.
    Maker { marks: &["config.toml", "config.yaml", "config.yml"], beside: &["content"], ..HUGO },
    // Antora.
    Maker {
        marks: &["antora.yml"],
        beside: &["modules"],
        roots: &[],
        endings: &[],
        links: Links::Module,
        slugs: Slugs::Usual,
    },
    // GitLab, which makes no pages but shows files.
    Maker {
        marks: &[".gitlab-ci.yml", ".gitlab"],
        beside: &[],
        roots: &[],
        endings: &[],
        links: Links::Document,
        slugs: Slugs::GitLab,
    },
];

const HUGO: Maker = Maker {
    marks: &["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"],
    beside: &[],
    roots: &["static", "content"],
    endings: &["md"],
    links: Links::Page,
    slugs: Slugs::Usual,
};

/// Directories of a module of Antora, each for files of a kind.
const FAMILIES: [&[u8]; 5] = [b"pages", b"images", b"partials", b"examples", b"attachments"];
/// Names of documents whose page is the index of their directory.
const INDICES: [&[u8]; 3] = [b"index", b"README", b"_index"];
/// Directories above a document that are searched.
const DEPTH_MAX: usize = 32;

/// The tree of a program.
pub(super) struct Tree {
    pub(super) maker: &'static Maker,
    /// The topmost directory.
    top: Vec<u8>,
    /// The number of directories from that of the document up to the topmost one.
    levels: usize,
}

/// Returns `directory` and all directories above it, as the paths of links name them.
fn above(directory: &[u8], sight: &Sight<'_>) -> Vec<Vec<u8>> {
    let real = sight.files.real(directory).unwrap_or_default();
    let depth = real.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).count();
    let mut next = directory.to_vec();
    let mut found = vec![next.clone()];
    for _ in 0..depth.min(DEPTH_MAX) {
        if path::ascend(&mut next, None).is_err() {
            break;
        }
        found.push(next.clone());
    }
    found
}

/// Returns the trees around `directory`, the nearest first.
pub(super) fn around(directory: &[u8], sight: &Sight<'_>) -> Vec<Tree> {
    let mut trees = Vec::new();
    for (levels, top) in above(directory, sight).into_iter().enumerate() {
        let has = |name: &&'static str| is_there(sight, &path::inside(&top, name.as_bytes()));
        let is_its = |maker: &&Maker| {
            let is_told = maker.beside.is_empty() || maker.beside.iter().any(has);
            maker.marks.iter().any(has) && is_told
        };
        let makers = MAKERS.iter().filter(is_its);
        trees.extend(makers.map(|maker| Tree { maker, top: top.clone(), levels }));
    }
    trees
}

/// Returns the number of directories from `directory` up to the one that is checked out of Git.
pub(super) fn checkout_depth(directory: &[u8], sight: &Sight<'_>) -> Option<usize> {
    let directories = above(directory, sight);
    directories.iter().position(|top| is_there(sight, &path::inside(top, b".git")))
}

fn is_there(sight: &Sight<'_>, path: &[u8]) -> bool {
    sight.reaches(path) && matches!(sight.files.kind(path), FileKind::File | FileKind::Directory)
}

impl Local {
    /// Returns the target that a program which makes pages of the tree around `document` finds for
    /// `path`, as its link has it, or the result that says why it is unknown.
    pub(super) fn by_makers(
        &self,
        document: &Document,
        sight: &Sight<'_>,
        path: &[u8],
    ) -> Option<Result<Target, Reach>> {
        // Without `root_dir`, links may lead out of the tree.
        let free = self.sight(None);
        let sight = if self.root.is_none() { &free } else { sight };
        let directory = path::parent(&document.path);
        let markup = Markup::by_name(&document.path);
        let is_markdown = matches!(markup, Some(Markup::Markdown | Markup::Mdx));
        for tree in around(directory, sight) {
            let starts = tree.starts(document, path);
            let endings = tree.maker.endings.iter().filter(|_| is_markdown);
            let targets = starts.iter().filter_map(|(start, path)| {
                let start = Start { directory: start.clone(), floor: None };
                path::follow(&start, path).ok().map(|resolved| resolved.path)
            });
            for target in targets {
                if is_there(sight, &target) {
                    let kind = sight.kind(&target);
                    return Some(Ok(Target { path: target, kind, is_page: false }));
                }
                let stem = target.strip_suffix(b".html").unwrap_or(&target);
                let sources =
                    endings.clone().map(|ending| [stem, b".", ending.as_bytes()].concat());
                let mut sources = sources.filter(|path| sight.kind(path) == FileKind::File);
                if let Some(path) = sources.next() {
                    return Some(Ok(Target { path, kind: FileKind::File, is_page: true }));
                }
            }
            let is_label = tree.maker.links == Links::Labels && is_markdown;
            if is_label && memchr::memchr3(b'.', b'/', b'\\', path).is_none() {
                let message = "it may be a label, which any document of the tree can have";
                return Some(Err(reach(Class::Unverifiable, message)));
            }
        }
        None
    }
}

impl Tree {
    /// Returns directories where `path`, a link of `document`, may start, and the rest of the path.
    fn starts<'p>(&self, document: &Document, path: &'p [u8]) -> Vec<(Vec<u8>, &'p [u8])> {
        if is_from_root(path) {
            let root = |name: &&str| path::inside(&self.top, name.as_bytes());
            return self.maker.roots.iter().map(|name| (root(name), path)).collect();
        }
        let directory = path::parent(&document.path).to_vec();
        match self.maker.links {
            Links::Document | Links::Labels => vec![(directory, path)],
            Links::Page => {
                let name = path::name(&document.path);
                let end = memchr::memrchr(b'.', name).unwrap_or(name.len());
                let stem = name.get(..end).unwrap_or_default();
                let page = (!INDICES.contains(&stem)).then(|| path::inside(&directory, stem));
                let starts = std::iter::once(directory).chain(page);
                starts.map(|start| (start, path)).collect()
            }
            Links::Module => self.families(directory, path),
        }
    }

    /// Returns the directories of the module around `directory` where `path` may start:
    /// `partial$a.adoc` names its family.
    fn families<'p>(&self, directory: Vec<u8>, path: &'p [u8]) -> Vec<(Vec<u8>, &'p [u8])> {
        // A module is a directory of `modules`.
        let Some(levels) = self.levels.checked_sub(2) else { return Vec::new() };
        let mut module = directory;
        for _ in 0..levels {
            if path::ascend(&mut module, None).is_err() {
                return Vec::new();
            }
        }
        let named = memchr::memchr(b'$', path).and_then(|at| path.split_at_checked(at));
        let families = FAMILIES.iter().filter_map(|family| {
            let rest = match named {
                Some((name, rest)) if family.strip_suffix(b"s") == Some(name) => rest.get(1..)?,
                Some(_) => return None,
                None => path,
            };
            Some((path::inside(&module, family), rest))
        });
        families.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::{Answer, Base, Local, Options};

    /// Files of a tree for each program; a name with a slash at its end is a directory.
    const FILES: [(&str, &str); 52] = [
        ("sphinx/docs/conf.py", "html_static_path = ['assets']\nhtml_extra_path = [\"extra\"]\n"),
        ("sphinx/docs/index.rst", ""),
        ("sphinx/docs/sub/a.rst", ""),
        ("sphinx/docs/assets/logo.png", ""),
        ("sphinx/docs/extra/robots.txt", ""),
        ("sphinx/docs/sub/b.html", ""),
        ("myst/conf.py", ""),
        ("myst/index.md", ""),
        ("myst/a.rst", ""),
        ("myst/sub/b.md", ""),
        ("book/_toc.yml", ""),
        ("book/intro.md", ""),
        ("book/deep/run.ipynb", ""),
        ("mkdocs/mkdocs.yml", ""),
        ("mkdocs/docs/index.md", ""),
        ("mkdocs/docs/img/a.png", ""),
        ("mkdocs/docs/sub/page.md", "## C & C\n"),
        ("vite/docs/.vitepress/config.mts", ""),
        ("vite/docs/public/logo.png", ""),
        ("vite/docs/index.md", ""),
        ("vite/docs/guide/start.md", "# 1. Intro\n\n## Q & A\n\n## Q & A\n"),
        ("hugo/hugo.toml", ""),
        ("hugo/static/a.png", ""),
        ("hugo/content/posts/one.md", ""),
        ("hugo/content/posts/two.md", ""),
        ("zola/config.toml", ""),
        ("zola/static/a.png", ""),
        ("zola/content/one.md", ""),
        ("astro/astro.config.mjs", ""),
        ("astro/public/a.png", ""),
        ("astro/src/content/docs/one.mdx", ""),
        ("plain/config.toml", ""),
        ("plain/static/a.png", ""),
        ("plain/one.md", "## Q & A\n"),
        ("docu/docusaurus.config.ts", ""),
        ("docu/static/a.png", ""),
        ("docu/docs/one.md", ""),
        ("ant/antora.yml", ""),
        ("ant/modules/ROOT/nav.adoc", ""),
        ("ant/modules/ROOT/pages/index.adoc", ""),
        ("ant/modules/ROOT/pages/sub/page.adoc", ""),
        ("ant/modules/ROOT/images/a.png", ""),
        ("ant/modules/ROOT/partials/p.adoc", ""),
        ("gitlab/.gitlab-ci.yml", ""),
        ("gitlab/README.md", "# A - B\n\n## A - B\n\n## C & D\n"),
        ("jekyll/_config.yml", ""),
        ("jekyll/one.md", ""),
        ("quarto/_quarto.yml", ""),
        ("quarto/one.md", ""),
        ("quarto/two.qmd", ""),
        ("plain/made.rst", ""),
        ("plain/page.html", ""),
    ];

    fn grow(home: &Path) {
        for (path, text) in FILES {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn class(local: &Local, path: &Path, tree: Option<&Path>, link: &str) -> &'static str {
        match local.ask(&local.document(path, tree, None), link.as_bytes()) {
            Answer::Reach(reach) => reach.class.row().name,
            Answer::Remote(_) => "remote",
        }
    }

    /// Follows links of documents, and compares the classes.
    #[track_caller]
    fn follow(cases: &[(&str, &str, &str)]) {
        let home = tempfile::tempdir().unwrap();
        grow(home.path());
        let local = Local::new(Options::default());
        for (document, link, expected) in cases {
            let document = home.path().join(document);
            let found = class(&local, &document, Some(home.path()), link);
            assert_eq!(found, *expected, "{link} in {}", document.display());
        }
    }

    #[test]
    fn links_are_followed_as_sphinx_and_jupyter_book_do() {
        follow(&[
            ("myst/index.md", "my-label", "unverifiable"),
            ("myst/index.md", "sub/b", "alive"),
            ("myst/sub/b.md", "../index", "alive"),
            ("myst/sub/b.md", "../a", "alive"),
            ("myst/sub/b.md", "/index", "alive"),
            ("myst/sub/b.md", "/none", "unverifiable"),
            ("myst/index.md", "sub/none", "missing"),
            ("myst/index.md", "none.md", "missing"),
            ("myst/index.md", "sub/b.html", "alive"),
            ("myst/a.rst", "my-label", "missing"),
            ("myst/a.rst", "/sub/b.md", "alive"),
            ("sphinx/docs/index.rst", "_static/logo.png", "alive"),
            ("sphinx/docs/sub/a.rst", "../_static/logo.png", "alive"),
            ("sphinx/docs/sub/a.rst", "/_static/logo.png", "alive"),
            ("sphinx/docs/index.rst", "_static/none.png", "missing"),
            ("sphinx/docs/sub/a.rst", "/_static/none.png", "missing"),
            ("sphinx/docs/index.rst", "_static/plus.png", "unverifiable"),
            ("sphinx/docs/index.rst", "_static/theme.css", "unverifiable"),
            ("sphinx/docs/index.rst", "robots.txt", "alive"),
            ("sphinx/docs/index.rst", "none.txt", "missing"),
            ("myst/index.md", "_static/none.png", "missing"),
            ("book/intro.md", "_static/none.png", "unverifiable"),
            ("sphinx/docs/sub/b.html", "/../sphinx/docs/index.rst", "alive"),
            ("plain/one.md", "/../plain/one.md", "outside-root"),
            ("book/intro.md", "deep/run", "alive"),
            ("book/intro.md", "fig-x", "unverifiable"),
            ("plain/one.md", "my-label", "missing"),
        ]);
    }

    #[test]
    fn links_are_followed_as_the_makers_of_pages_do() {
        follow(&[
            ("mkdocs/docs/index.md", "sub/page/", "alive"),
            ("mkdocs/docs/index.md", "sub/none/", "missing"),
            ("mkdocs/docs/index.md", "/sub/page/#c-c", "alive"),
            ("mkdocs/docs/sub/page.md", "../../img/a.png", "alive"),
            ("mkdocs/docs/sub/page.md", "../img/a.png", "alive"),
            ("mkdocs/docs/sub/page.md", "../../img/b.png", "missing"),
            ("vite/docs/index.md", "/logo.png", "alive"),
            ("vite/docs/index.md", "/none.png", "missing"),
            ("vite/docs/index.md", "/guide/start", "alive"),
            ("vite/docs/index.md", "./guide/start.html", "alive"),
            ("vite/docs/index.md", "guide/start.md#q-a", "alive"),
            ("vite/docs/index.md", "guide/start.md#q-a-1", "alive"),
            ("vite/docs/index.md", "guide/start.md#q-a-2", "fragment-missing"),
            ("vite/docs/index.md", "guide/start.md#_1-intro", "alive"),
            ("hugo/content/posts/one.md", "/a.png", "alive"),
            ("hugo/content/posts/one.md", "/posts/two/", "alive"),
            ("hugo/content/posts/one.md", "../two/", "alive"),
            ("hugo/content/posts/one.md", "../three/", "missing"),
            ("zola/content/one.md", "/a.png", "alive"),
            ("plain/one.md", "/a.png", "missing"),
            ("plain/one.md", "#q-a", "fragment-missing"),
            ("astro/src/content/docs/one.mdx", "/a.png", "alive"),
            ("astro/src/content/docs/one.mdx", "/one/", "alive"),
            ("jekyll/one.md", "one.html", "alive"),
            ("jekyll/one.md", "two.html", "missing"),
            ("quarto/one.md", "two.html", "alive"),
            ("plain/one.md", "one.html", "missing"),
            ("plain/page.html", "made.html", "alive"),
            ("plain/page.html", "one.html", "missing"),
            ("docu/docs/one.md", "/a.png", "alive"),
            ("docu/docs/one.md", "/docs/one", "alive"),
            ("ant/modules/ROOT/pages/sub/page.adoc", "index.adoc", "alive"),
            ("ant/modules/ROOT/pages/sub/page.adoc", "a.png", "alive"),
            ("ant/modules/ROOT/pages/sub/page.adoc", "none.png", "missing"),
            ("ant/modules/ROOT/pages/sub/page.adoc", "partial$p.adoc", "alive"),
            ("ant/modules/ROOT/pages/sub/page.adoc", "example$p.adoc", "missing"),
            ("ant/modules/ROOT/nav.adoc", "sub/page.adoc", "alive"),
            ("gitlab/README.md", "#c-d", "alive"),
            ("gitlab/README.md", "#a-b-1", "alive"),
            ("gitlab/README.md", "#a-b-2", "fragment-missing"),
        ]);
    }

    /// On macOS both names are one.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_composed_of_other_characters_is_told() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("cafe\u{301}")).unwrap();
        fs::write(home.path().join("cafe\u{301}/e\u{301}te\u{301}.md"), "").unwrap();
        let local = Local::new(Options::default());
        let document = local.document(&home.path().join("a.md"), Some(home.path()), None);
        let link = "caf\u{e9}/\u{e9}t\u{e9}.md";
        let Answer::Reach(reach) = local.ask(&document, link.as_bytes()) else { panic!("local") };
        assert_eq!(reach.class.row().name, "missing");
        assert!(reach.message.contains("composed of other characters"), "{}", reach.message);
        assert_eq!(reach.hint.as_deref(), Some("cafe\u{301}/e\u{301}te\u{301}.md"));
    }

    #[test]
    fn pages_of_forges_are_counted_from_the_checkout() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        fs::create_dir_all(root.join("docs/.empty")).unwrap();
        fs::write(root.join(".git"), "gitdir: elsewhere").unwrap();
        let local = Local::new(Options::default());
        let (docs, readme) = (root.join("docs"), root.join("README.md"));
        let page = docs.join("a.md");
        for (document, tree, link, expected) in [
            (&page, Some(&*docs), "../../../issues", "unverifiable"),
            (&page, Some(&*docs), "../../../wiki/Home", "unverifiable"),
            (&page, Some(&*docs), "../../../none", "outside-root"),
            (&page, Some(root), "../../../issues", "unverifiable"),
            (&page, Some(root), "../../issues", "outside-root"),
            (&page, None, "../../../issues", "unverifiable"),
            (&page, None, "../../issues", "missing"),
            (&page, None, "../../../../other-repo", "unverifiable"),
            (&readme, None, "../../issues", "unverifiable"),
            (&readme, None, "../../../other-repo/issues/1", "unverifiable"),
            (&readme, None, "../../../other/none", "missing"),
            (&readme, None, "../../../other.md", "missing"),
            (&readme, None, "../issues", "missing"),
        ] {
            let found = class(&local, document, tree, link);
            assert_eq!(found, expected, "{link} in {} of {tree:?}", document.display());
        }
        // Without a checkout, nothing says how far up the pages of a forge are.
        fs::remove_file(root.join(".git")).unwrap();
        let local = Local::new(Options::default());
        assert_eq!(class(&local, &page, None, "../../../issues"), "unverifiable");
        assert_eq!(class(&local, &page, None, "../issues"), "missing");
    }

    #[test]
    fn links_with_a_slash_start_at_the_base_for_files_and_trees() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("pub/img")).unwrap();
        fs::create_dir_all(home.path().join("docs")).unwrap();
        fs::write(home.path().join("pub/img/a.png"), "").unwrap();
        let base = Some(Base::Directory(home.path().join("pub")));
        let local = Local::new(Options { base, ..Options::default() });
        let docs = home.path().join("docs");
        for tree in [None, Some(&*docs)] {
            assert_eq!(class(&local, &docs.join("a.md"), tree, "/img/a.png"), "alive");
            assert_eq!(class(&local, &docs.join("a.md"), tree, "/img/b.png"), "missing");
        }
    }
}
