//! An SVG of ours as PNG, with our own font: machines without fonts show the same letters.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");
/// Pixels per unit of the SVG.
const FINE: f32 = 2.0;

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

pub(super) fn draw(svg: &str) -> Vec<u8> {
    let options =
        Options { fontdb: Arc::clone(&FONTS), font_family: "DejaVu Sans".into(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).expect("our own SVG is well formed");
    #[expect(clippy::cast_sign_loss, reason = "sizes are positive")]
    let side = |length: f32| ((length * FINE).ceil() as u32).clamp(1, 20_000);
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let mut pixels = Pixmap::new(width, height).expect("a size that is not 0");
    resvg::render(&tree, Transform::from_scale(FINE, FINE), &mut pixels.as_mut());
    pixels.encode_png().expect("memory is enough")
}
